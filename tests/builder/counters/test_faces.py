from __future__ import annotations

import io
import pickle
from dataclasses import replace

from PIL import Image

from builder.counters import Pictures, draw, faces, png
from builder.counters.faces import slug
from fieldpost.definition.model import Counter
from tests.builder.counters import samples


def test_every_face_has_a_picture_named_after_its_unit_and_step() -> None:
    files = [face.file for face in faces(samples.game())]
    assert "unit-57PzK-1.png" in files
    assert "unit-57PzK-2.png" in files
    assert "marker-out-of-supply-2.png" in files
    assert len(files) == len(set(files))


def test_alike_counters_share_a_picture() -> None:
    game = samples.game()
    pictures = Pictures(game)
    one, other = game.counter["InfKG-1"], game.counter["InfKG-2"]
    assert pictures.counter(one, 1) == pictures.counter(other, 1) == "unit-InfKG-1-1.png"


def test_every_counter_and_marker_finds_its_picture_among_the_faces() -> None:
    game = samples.game()
    pictures, files = Pictures(game), {face.file for face in faces(game)}
    for counter in game.counters:
        assert {pictures.counter(counter, step + 1) for step in range(len(counter.steps))} <= files
    for marker in game.markers:
        assert {pictures.marker(marker, face + 1) for face in range(len(marker.faces))} <= files


def test_names_differ_by_more_than_case() -> None:
    game = samples.game()
    twins = tuple(Counter(ident, ident, "kg", ("2-3-5",), ident) for ident in ("8AK", "8Ak", "8ak"))
    files = [face.file.lower() for face in faces(replace(game, counters=twins))]
    assert len(set(files)) == len(files)


def test_a_name_is_plain_whatever_the_id() -> None:
    assert slug("Ördög 3./b") == "Ordog-3-b"
    assert slug("Ж") == "xd096"


def test_a_new_counter_at_the_end_renames_nothing() -> None:
    game = samples.game()
    more = replace(game, counters=(*game.counters, Counter("New", "New", "kg", ("2-2-5",))))
    before, after = ({face.file: face.draw for face in faces(g)} for g in (game, more))
    assert before.items() <= after.items()


def test_a_drawing_travels_to_another_process_and_draws_the_same() -> None:
    face = next(iter(faces(samples.game())))
    again = pickle.loads(pickle.dumps(face.draw))
    assert again == face.draw
    assert png(again(75)) == png(face.draw(75))


def test_a_key_changes_with_what_is_seen_and_with_nothing_else() -> None:
    game, counter = samples.game(), samples.COUNTERS[0]
    changed, _ = samples.with_counter(steps=("6-7-4",))
    renamed, _ = samples.with_counter(name="Another name", group="elsewhere")
    keys = {
        g.title + str(i): next(iter(faces(g))).draw.key(75) for i, g in enumerate((game, changed, renamed))
    }
    plain, other, same = keys.values()
    assert plain == same != other
    assert next(iter(faces(game))).draw.key(60) != plain
    assert counter.id == "51AK"


def test_a_picture_holds_nothing_but_the_picture() -> None:
    data = png(draw(samples.game(), samples.COUNTERS[0], 1))
    chunks, at = [], 8
    while at < len(data):
        length = int.from_bytes(data[at : at + 4], "big")
        chunks.append(data[at + 4 : at + 8])
        at += 12 + length
    assert set(chunks) == {b"IHDR", b"IDAT", b"IEND"}
    assert Image.open(io.BytesIO(data)).info == {}


def test_the_same_counter_gives_the_same_bytes() -> None:
    game = samples.game()
    assert png(draw(game, game.counter["LAH"], 2)) == png(draw(game, game.counter["LAH"], 2))
