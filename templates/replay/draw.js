// The board on a canvas: a map's boards, its pieces in their order, what the step moved.
const canvas = document.getElementById("board");
const pen = canvas.getContext("2d");
const pictures = new Map();
const bitmaps = new Map();
const views = film.maps.map(() => null);
const FINE = 2, LARGEST = 600;   // pixels of a bitmap for each of a drawing, and on its longest side
const BOX = [-28, -20, 28, 20];
let map = 0;
let waiting = false;
let later = 0;
let coming = 0;   // pictures

function redraw() {
  if (waiting) return;
  waiting = true;
  requestAnimationFrame(() => {
    waiting = false;
    draw();
  });
}

// A picture is opened when it is first shown: thousands of drawings take a while. Undefined until it is there.
function picture(image) {
  if (!pictures.has(image)) pictures.set(image, opened(film.images[image]));
  const found = pictures.get(image);
  return found.complete && found.naturalWidth ? found : undefined;
}

function opened(uri) {
  const made = new Image();
  coming += 1;
  made.onload = made.onerror = () => {
    coming -= 1;
    if (coming) redrawSoon();
    else redraw();
  };
  made.src = uri;
  return made;
}

// While many pictures come in, not after each of them.
function redrawSoon() {
  if (later) return;
  later = setTimeout(() => {
    later = 0;
    redraw();
  }, 200);
}

function extent(number) {
  const boards = film.maps[number].boards;
  if (boards.length) {
    const least = (pick) => Math.max(0, Math.min(...boards.map(pick)));   // the edge around the boards, where pieces lie, too
    return [
      0, 0,
      Math.max(...boards.map((one) => one.x + one.w)) + least((one) => one.x),
      Math.max(...boards.map((one) => one.y + one.h)) + least((one) => one.y),
    ];
  }
  const spots = onMap(number);
  if (!spots.length) return [0, 0, 400, 300];
  const edge = (pick, at, side) => pick(...spots.map((spot) => spot[at] + shape(spot)[side]));
  return [edge(Math.min, X, 0) - 40, edge(Math.min, Y, 1) - 40, edge(Math.max, X, 2) + 40, edge(Math.max, Y, 3) + 40];
}

function fit() {
  const [left, top, right, bottom] = extent(map);
  const width = canvas.clientWidth || 1, height = canvas.clientHeight || 1;
  const scale = Math.min(width / (right - left), height / (bottom - top));
  views[map] = { scale, x: (width - (left + right) * scale) / 2, y: (height - (top + bottom) * scale) / 2 };
  redraw();
}

function zoom(factor, x = canvas.clientWidth / 2, y = canvas.clientHeight / 2) {
  const view = views[map];
  const scale = Math.max(0.02, Math.min(6, view.scale * factor));
  view.x = x - ((x - view.x) * scale) / view.scale;
  view.y = y - ((y - view.y) * scale) / view.scale;
  view.scale = scale;
  redraw();
}

// Brings a point into sight, if it is not.
function reveal(x, y) {
  const view = views[map];
  const px = x * view.scale + view.x, py = y * view.scale + view.y;
  const width = canvas.clientWidth, height = canvas.clientHeight;
  if (px > 40 && py > 40 && px < width - 40 && py < height - 40) return;
  view.x += width / 2 - px;
  view.y += height / 2 - py;
}

function draw() {
  const ratio = window.devicePixelRatio || 1;
  const width = Math.round(canvas.clientWidth * ratio), height = Math.round(canvas.clientHeight * ratio);
  if (canvas.width !== width || canvas.height !== height) [canvas.width, canvas.height] = [width, height];
  if (!film.maps.length) return;
  if (!views[map]) fit();
  const view = views[map];
  pen.setTransform(ratio, 0, 0, ratio, 0, 0);
  pen.clearRect(0, 0, width, height);
  pen.setTransform(view.scale * ratio, 0, 0, view.scale * ratio, view.x * ratio, view.y * ratio);
  pen.imageSmoothingQuality = "high";
  film.maps[map].boards.forEach(drawBoard);
  const edge = 200;   // labels may stand out beside a piece's shape
  const left = -view.x / view.scale - edge, top = -view.y / view.scale - edge;
  const right = left + canvas.clientWidth / view.scale + 2 * edge;
  const bottom = top + canvas.clientHeight / view.scale + 2 * edge;
  for (const spot of onMap(map)) {
    const [west, north, east, south] = film.looks[spot[LOOK]][1];
    if (spot[X] + east > left && spot[X] + west < right && spot[Y] + south > top && spot[Y] + north < bottom) drawLook(spot);
  }
  if (document.getElementById("trace").checked) drawMoves();
}

function drawBoard(board) {
  const ground = board.image < 0 ? undefined : picture(board.image);
  pen.save();
  pen.translate(board.x, board.y);
  if (board.turned) {
    pen.translate(board.w, board.h);
    pen.rotate(Math.PI);
  }
  pen.fillStyle = board.colour;
  pen.fillRect(0, 0, board.w, board.h);
  if (ground) pen.drawImage(ground, 0, 0, board.w, board.h);
  pen.beginPath();
  pen.rect(0, 0, board.w, board.h);
  pen.clip();
  board.grids.forEach(drawGrid);
  pen.restore();
}

// Its lines are put together once; the engine draws them one pixel wide at every size.
function drawGrid(grid) {
  const scale = views[map].scale;
  grid.path ??= lines(grid.lines);
  pen.save();
  if (grid.clip.length) {
    const zone = new Path2D();
    for (const [x, y] of grid.clip) zone.lineTo(x, y);
    pen.clip(zone);
  }
  pen.strokeStyle = grid.colour;
  pen.lineWidth = 1 / scale;
  pen.stroke(grid.path);
  if (grid.label_px * scale >= 5) {
    pen.fillStyle = grid.label_colour;
    pen.font = `${grid.label_px}px sans-serif`;
    pen.textAlign = "center";
    pen.textBaseline = "top";
    for (const [text, x, y] of grid.labels) pen.fillText(text, x, y);
    pen.textAlign = "start";
  }
  pen.restore();
}

function lines(all) {
  const path = new Path2D();
  for (const [x1, y1, x2, y2] of all) {
    path.moveTo(x1, y1);
    path.lineTo(x2, y2);
  }
  return path;
}

function drawLook(spot) {
  const [name, , parts, lacking] = film.looks[spot[LOOK]];
  if (lacking) drawBox(spot, name);
  for (const part of parts) {
    if (part[0] === null) drawFrame(spot, part);
    else if (typeof part[0] === "number") drawPicture(spot, part);
    else drawText(spot, part);
  }
}

function drawPicture(spot, [image, x, y, w, h, angle = 0, opacity = 1]) {
  const drawn = drawable(image);
  if (!drawn) return;
  pen.globalAlpha = opacity;
  if (angle) {
    pen.save();
    pen.translate(spot[X] + x, spot[Y] + y);
    pen.rotate((angle * Math.PI) / 180);
    pen.drawImage(drawn, -w / 2, -h / 2, w, h);
    pen.restore();
  } else {
    pen.drawImage(drawn, spot[X] + x - Math.floor(w / 2), spot[Y] + y - Math.floor(h / 2), w, h);
  }
  pen.globalAlpha = 1;
}

// A drawing is made anew each time it is shown: as pixels it is drawn once, unless it is seen from very near.
function drawable(image) {
  const found = picture(image);
  const near = views[map].scale * (window.devicePixelRatio || 1) > FINE;
  if (!found || near || !film.images[image].startsWith("data:image/svg")) return found;
  if (!bitmaps.has(image)) bitmaps.set(image, bitmap(found));
  return bitmaps.get(image);
}

function bitmap(drawing) {
  const made = document.createElement("canvas");
  const fine = Math.min(FINE, LARGEST / drawing.naturalWidth, LARGEST / drawing.naturalHeight);
  made.width = Math.max(1, Math.round(drawing.naturalWidth * fine));
  made.height = Math.max(1, Math.round(drawing.naturalHeight * fine));
  made.getContext("2d").drawImage(drawing, 0, 0, made.width, made.height);
  return made;
}

function drawFrame(spot, [, x, y, w, h, fill, edge]) {
  pen.strokeStyle = edge;
  pen.lineWidth = 1 / views[map].scale;
  if (fill) {
    pen.fillStyle = fill;
    pen.fillRect(spot[X] + x, spot[Y] + y, w, h);
  }
  pen.strokeRect(spot[X] + x, spot[Y] + y, w, h);
}

const LINE = 1.164, ASCENT = 0.928;   // of a letter's size, as the engine's font has them

function drawText(spot, [text, x, y, across, down, size, ink, ground, style, angle]) {
  const lines = text.split("\n");
  pen.save();
  pen.translate(spot[X], spot[Y]);
  if (angle) pen.rotate((angle * Math.PI) / 180);
  pen.font = `${style & 2 ? "italic " : ""}${style & 1 ? "bold " : ""}${size}px sans-serif`;
  pen.textBaseline = "alphabetic";
  const width = Math.max(...lines.map((line) => pen.measureText(line).width));
  const height = size * LINE * lines.length;
  const left = across === "c" ? x - width / 2 : across === "r" ? x - width : x;
  const top = down === "c" ? y - height / 2 : down === "b" ? y - height : y;
  if (ground) {
    pen.fillStyle = ground;
    pen.fillRect(left, top, width, height);
  }
  pen.fillStyle = ink;
  lines.forEach((line, row) => pen.fillText(line, left, top + (row * LINE + ASCENT) * size));
  pen.restore();
}

function drawBox(spot, name) {
  const [left, top, right, bottom] = BOX;
  pen.fillStyle = "#fbf7ea";
  pen.strokeStyle = "#555";
  pen.lineWidth = 1;
  pen.fillRect(spot[X] + left, spot[Y] + top, right - left, bottom - top);
  pen.strokeRect(spot[X] + left, spot[Y] + top, right - left, bottom - top);
  if (views[map].scale < 0.4) return;
  pen.fillStyle = "#222";
  pen.font = "10px sans-serif";
  pen.textAlign = "center";
  pen.textBaseline = "middle";
  pen.fillText(name.slice(0, 24), spot[X], spot[Y], right - left - 4);
  pen.textAlign = "start";
}

function shape(spot) {
  const box = film.looks[spot[LOOK]][1];
  return box[2] > box[0] ? box : BOX;
}

function drawMoves() {
  const thin = 2.5 / views[map].scale;
  pen.strokeStyle = "#d0301a";
  pen.lineWidth = thin;
  for (const { spot, old } of scene.moved) {
    if (spot.length && spot[MAP] === map) {
      const [left, top, right, bottom] = shape(spot);
      pen.strokeRect(spot[X] + left - thin, spot[Y] + top - thin, right - left + 2 * thin, bottom - top + 2 * thin);
    }
    if (spot.length && old.length && spot[MAP] === map && old[MAP] === map) {
      pen.beginPath();
      pen.moveTo(old[X], old[Y]);
      pen.lineTo(spot[X], spot[Y]);
      pen.stroke();
    }
  }
}

// The pieces under a point of the canvas, uppermost first.
function under(px, py) {
  const view = views[map];
  const x = (px - view.x) / view.scale, y = (py - view.y) / view.scale;
  return onMap(map).reverse().filter((spot) => {
    const [left, top, right, bottom] = shape(spot);
    return x >= spot[X] + left && x <= spot[X] + right && y >= spot[Y] + top && y <= spot[Y] + bottom;
  });
}
