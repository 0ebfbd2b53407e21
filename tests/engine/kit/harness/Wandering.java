package VASSAL.launch;

import VASSAL.build.GameModule;
import VASSAL.build.module.DiceButton;
import VASSAL.build.module.Map;
import VASSAL.build.module.SpecialDiceButton;
import VASSAL.build.widget.PieceSlot;
import VASSAL.counters.Deck;
import VASSAL.counters.DragBuffer;
import VASSAL.counters.GamePiece;
import VASSAL.counters.KeyBuffer;
import VASSAL.counters.KeyCommand;
import VASSAL.counters.PieceCloner;
import VASSAL.counters.PieceIterator;
import VASSAL.counters.Properties;
import VASSAL.counters.Stack;
import VASSAL.build.module.map.MoverAccess;

import java.awt.Dimension;
import java.awt.Point;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Plays any module at random: what its pieces, decks, palettes and dice offer to a player's mouse. */
final class Wandering {
  private Wandering() {}
  private static Random random;

  static void wander(int times, long seed) throws Exception {
    random = new Random(seed);
    for (int i = 0; i < times; i++) {
      final int kind = random.nextInt(100);
      Harness.phase = "wandering " + (i + 1);
      try {
        Harness.edt(() -> {
          if (kind < 40) drag();
          else if (kind < 75) menu();
          else if (kind < 85) draw();
          else if (kind < 93) take();
          else roll();
          return null;
        });
      }
      catch (Exception e) { Harness.notice("wandering", String.valueOf(e)); }   // a trait of the module may refuse
      Harness.settle();
    }
  }

  private static <T> T any(List<T> l) { return l.isEmpty() ? null : l.get(random.nextInt(l.size())); }

  private static List<GamePiece> onMaps() {
    final List<GamePiece> l = new ArrayList<>();
    for (final GamePiece p : GameModule.getGameModule().getGameState().getAllPieces())
      if (!(p instanceof Stack) && !(p.getParent() instanceof Deck) && p.getMap() != null && !Boolean.TRUE.equals(p.getProperty(Properties.INVISIBLE_TO_ME))) l.add(p);
    l.sort(java.util.Comparator.comparing(GamePiece::getId));
    return l;
  }

  /** a point of a map: beside a piece that lies there, or anywhere on it */
  private static Point place(Map m) {
    final List<GamePiece> there = new ArrayList<>();
    for (final GamePiece p : onMaps()) if (p.getMap() == m) there.add(p);
    if (!there.isEmpty() && random.nextInt(4) > 0) {
      final Point near = any(there).getPosition();
      return random.nextBoolean() ? near : new Point(Math.max(5, near.x + random.nextInt(161) - 80), Math.max(5, near.y + random.nextInt(161) - 80));
    }
    final Dimension size = m.mapSize();
    return new Point(random.nextInt(Math.max(1, size.width)), random.nextInt(Math.max(1, size.height)));
  }

  private static void drop(GamePiece p, Map m) {
    final DragBuffer d = DragBuffer.getBuffer();
    d.clear();
    d.add(p);
    MoverAccess.drop(m, place(m));
    d.clear();
  }

  private static void drag() {
    final GamePiece p = any(onMaps());
    if (p != null) drop(p, p.getMap());
  }

  private static void menu() {
    final GamePiece p = any(onMaps());
    if (p == null) return;
    final List<KeyCommand> offered = new ArrayList<>();
    for (final KeyCommand c : (KeyCommand[]) p.getProperty(Properties.KEY_COMMANDS))
      if (c.isEnabled() && c.getName() != null && !c.getName().isEmpty() && c.getKeyStroke() != null) offered.add(c);
    final KeyCommand c = any(offered);
    if (c == null) return;
    final KeyBuffer b = KeyBuffer.getBuffer();
    b.clear();
    b.add(p);
    GameModule.getGameModule().sendAndLog(b.keyCommand(c.getKeyStroke()));
    b.clear();
  }

  private static void draw() {
    final List<Deck> decks = new ArrayList<>();
    for (final GamePiece p : GameModule.getGameModule().getGameState().getAllPieces())
      if (p instanceof Deck && ((Deck) p).getPieceCount() > 0 && p.getMap() != null) decks.add((Deck) p);
    decks.sort(java.util.Comparator.comparing(Deck::getId));
    final Deck deck = any(decks);
    if (deck == null) return;
    final PieceIterator cards = deck.drawCards();
    if (cards.hasMoreElements()) drop(cards.nextPiece(), deck.getMap());
  }

  private static void take() {
    final PieceSlot slot = any(GameModule.getGameModule().getAllDescendantComponentsOf(PieceSlot.class));
    final Map m = any(Map.getMapList());
    if (slot == null || m == null || slot.getPiece() == null || m.mapSize().width < 2) return;
    final GamePiece copy = PieceCloner.getInstance().clonePiece(slot.getPiece());
    copy.setProperty(Properties.PIECE_ID, slot.getGpId());
    drop(copy, m);
  }

  private static void roll() {
    final List<javax.swing.JButton> dice = new ArrayList<>();
    for (final DiceButton d : GameModule.getGameModule().getAllDescendantComponentsOf(DiceButton.class)) dice.add(d.getLaunchButton());
    for (final SpecialDiceButton d : GameModule.getGameModule().getAllDescendantComponentsOf(SpecialDiceButton.class)) dice.add(d.getLaunchButton());
    final javax.swing.JButton b = any(dice);
    if (b != null) b.doClick(0);
  }
}
