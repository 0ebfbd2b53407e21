// What lies where after a step: frames are applied forwards, and taken back by what they replaced.
const film = JSON.parse(document.getElementById("film").textContent);
const frames = film.frames;
const MAP = 0, X = 1, Y = 2, ORDER = 3, INDEX = 4, LOOK = 5;
const scene = { at: -1, actors: new Map(), moved: [] };

function apply(ops) {
  const before = [];
  for (const [actor, ...spot] of ops) {
    const old = scene.actors.get(actor);
    before.push(old ? [actor, ...old] : [actor]);
    if (spot.length) scene.actors.set(actor, spot);
    else scene.actors.delete(actor);
  }
  return before.reverse();
}

function seek(wanted) {
  const goal = Math.max(0, Math.min(frames.length - 1, wanted));
  while (scene.at < goal) {
    scene.at += 1;
    frames[scene.at].back = apply(frames[scene.at].ops);
  }
  while (scene.at > goal) {
    apply(frames[scene.at].back);
    scene.at -= 1;
  }
  scene.moved = changed(frames[goal]);
}

// The spots a step changed, old and new; a log's beginning changes all and none is shown.
function changed(frame) {
  if (frame.log) return [];
  const old = new Map(frame.back.map(([actor, ...spot]) => [actor, spot]));
  return frame.ops.map(([actor, ...spot]) => ({ actor, spot, old: old.get(actor) ?? [] }));
}

function onMap(map) {
  const found = [];
  for (const spot of scene.actors.values()) if (spot[MAP] === map) found.push(spot);
  return found.sort((a, b) => a[ORDER] - b[ORDER] || a[INDEX] - b[INDEX]);
}
