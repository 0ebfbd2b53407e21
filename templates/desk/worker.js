// Python, in a worker of its own: loads it and our code, then does what the page asks.

let files; // Python's file system
let tab; // desk.site.tab.Tab
let root;
const loaded = { bytes: 0, all: 1 };

const say = (share, what) => postMessage({ progress: share, what });

async function bytesOf(name) {
  const answer = await fetch(new URL(name, root));
  if (!answer.ok) throw new Error(`${name} could not be loaded (${answer.status})`);
  const reader = answer.body.getReader();
  const parts = [];
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    parts.push(value);
    loaded.bytes += value.length;
    say(Math.min(0.9, (0.9 * loaded.bytes) / loaded.all), `Getting ready: ${(loaded.bytes / 1048576).toFixed(1)} of ${(loaded.all / 1048576).toFixed(1)} MB …`);
  }
  return new Blob(parts);
}

const unpacked = (blob, type) => new Response(blob.stream().pipeThrough(new DecompressionStream("gzip")), { headers: { "Content-Type": type } });

async function load(address) {
  root = address;
  const { sizes, lock } = await (await fetch(new URL("python/start.json", root))).json();
  loaded.all = Object.values(sizes).reduce((sum, size) => sum + size, 0);
  const [wasm, library, ours, { loadPyodide }] = await Promise.all([
    bytesOf("python/pyodide.asm.wasm.gz"),
    bytesOf("python/library.zip.gz"),
    bytesOf("python/fieldpost.zip.gz"),
    import(new URL("python/pyodide.mjs", root)),
  ]);
  // Pyodide asks for two of its files by itself: they are here already.
  const fetched = self.fetch;
  self.fetch = async (what, ...rest) => {
    const name = String(what?.url || what);
    if (name.endsWith("/pyodide.asm.wasm")) return unpacked(wasm, "application/wasm");
    return name.endsWith("/library.zip") ? unpacked(library, "application/zip") : fetched(what, ...rest);
  };
  say(0.92, "Starting Python …");
  const python = await loadPyodide({
    indexURL: new URL("python/", root).href,
    stdLibURL: new URL("python/library.zip", root).href,
    lockFileContents: lock,
  });
  self.fetch = fetched;
  say(0.96, "Loading the games …");
  python.unpackArchive(await unpacked(ours, "application/zip").arrayBuffer(), "zip", { extractDir: "/lib/fieldpost" });
  python.runPython("import sys; sys.path.insert(0, '/lib/fieldpost')");
  tab = python.runPython("from desk.site.tab import Tab; Tab()");
  tab.load();
  files = python.FS;
}

function check(given, asked) {
  tab.begin();
  const named = given.map(([name, data], at) => {
    const label = name.replace(/[/\\\0-\x1f]/g, "_").slice(-120) || "file";
    const path = tab.path(at, label === "." || label === ".." ? "file" : label);
    files.writeFile(path, new Uint8Array(data));
    return [path, label];
  });
  return tab.check(JSON.stringify(named), asked, (doing, share) => postMessage({ doing, share: share ?? null }));
}

// A picture of a dropped module, so large; what the browser cannot read is left out.
async function picture(number, width, height, quality) {
  const given = tab.picture(number);
  const bytes = given.toJs();
  given.destroy();
  try {
    const bitmap = await createImageBitmap(new Blob([bytes]), { resizeWidth: width, resizeHeight: height, resizeQuality: "medium" });
    const canvas = new OffscreenCanvas(width, height);
    canvas.getContext("2d").drawImage(bitmap, 0, 0);
    bitmap.close();
    return await canvas.convertToBlob({ type: "image/webp", quality });
  } catch {
    return null;
  }
}

const WORK = {
  load,
  check,
  page: (which) => tab.page(which),
  mark: () => tab.mark(),
  dropped: () => tab.dropped(),
  picture,
  start: (which) => tab.start(which),
  text: () => tab.text(),
  data: () => tab.data(),
  ask: (which, question) => tab.ask(which, question),
  look: (text) => tab.look(text),
};

self.addEventListener("message", async ({ data: { id, what, values } }) => {
  try {
    postMessage({ id, value: await WORK[what](...values) });
  } catch (error) {
    const last = String(error.message).trim().split("\n").at(-1);
    postMessage({ id, error: `Something in fieldpost itself failed: ${last}` });
  }
});
