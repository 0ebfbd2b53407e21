// The game plays by itself: a step at a time, as fast as was chosen. It waits a little longer at a finding.

const STEP_MS = 1400;
const FINDING_STEPS = 2.5;
const playButton = byId("play");
const speedChoice = byId("speed");
let playing = 0;

function togglePlay() {
  if (playing) return stopPlaying();
  if (position.frame === lastFrame) go(0);
  playButton.setAttribute("aria-pressed", "true");
  document.body.classList.add("playing");
  byId("what").setAttribute("aria-live", "off"); // nobody can listen as fast as that
  playing = setTimeout(playStep, STEP_MS / Number(speedChoice.value));
  return undefined;
}

function playStep() {
  go(position.frame + 1);
  if (position.frame === lastFrame) return stopPlaying();
  const wait = (current().f || []).some(isShown) ? FINDING_STEPS : 1;
  playing = setTimeout(playStep, (wait * STEP_MS) / Number(speedChoice.value));
  return undefined;
}

function stopPlaying() {
  clearTimeout(playing);
  playing = 0;
  playButton.setAttribute("aria-pressed", "false");
  document.body.classList.remove("playing");
  byId("what").setAttribute("aria-live", "polite");
}

for (const id of ["first", "back", "phase-back", "on", "phase-on", "last", "scrub", "phase-choice"]) {
  byId(id).addEventListener("pointerdown", stopPlaying);
}
viewport.addEventListener("pointerdown", stopPlaying);
