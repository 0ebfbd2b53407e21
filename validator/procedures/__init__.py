"""What several games do alike: fields, moves, battles, control, arrivals. A game configures them."""
