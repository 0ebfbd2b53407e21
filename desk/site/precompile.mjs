// Compiles Python beforehand, by the very Python that the site runs: started by `building.py` with Node.
//
//   node precompile.mjs PYODIDE_FOLDER OURS.zip SAMPLE OUT_FOLDER
//
// Loads our code, checks a sample as a visitor would, and writes both zips anew: what was loaded on the way
// as byte code, the rest as it was. Browsers then need a third of the time to start.

import fs from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";

// Node would print the line of Pyodide that failed, which is a megabyte long.
process.on("uncaughtException", (error) => {
  console.error(String(error.message).slice(-1500));
  process.exit(1);
});
const [, , folder, ours, sample, out] = process.argv;
const { loadPyodide } = await import(pathToFileURL(path.join(folder, "pyodide.mjs")));
const python = await loadPyodide({ indexURL: folder + path.sep });
python.FS.writeFile("/ours.zip", fs.readFileSync(ours));
python.FS.writeFile("/library.zip", fs.readFileSync(path.join(folder, "python_stdlib.zip")));
python.FS.writeFile("/sample.txt", fs.readFileSync(sample));
python.runPython(`
import importlib._bootstrap_external as external
import json, sys, zipfile
from importlib.util import source_hash

sys.path.insert(0, "/ours")
with zipfile.ZipFile("/ours.zip") as archive:
    archive.extractall("/ours")

from desk.site.tab import Tab

tab = Tab()
tab.load()
tab.begin()
path = tab.path(0, "sample.txt")
with open("/sample.txt", "rb") as given, open(path, "wb") as put:
    put.write(given.read())
told = json.loads(tab.check(json.dumps([[path, "sample.txt"]]), "{}"))
assert told.get("verdict") == "illegal", told
tab.page(0), tab.text(), tab.data(), tab.look("game wfm")
tab.ask(0, json.dumps({"kind": "unit", "frame": 1, "unit": "PzKG-4"}))
used = {getattr(module, "__file__", None) or "" for module in sys.modules.values()}
used = {name.rpartition(".zip/")[2].removeprefix("/ours/") for name in used}
MINE = ("fieldpost/", "validator/", "desk/")

def compiled(name, source):
    code = compile(source, name, "exec", dont_inherit=True)
    return bytes(external._code_to_hash_pyc(code, source_hash(source), False))

for before, after in (("/ours.zip", "/ours-compiled.zip"), ("/library.zip", "/library-compiled.zip")):
    with zipfile.ZipFile(before) as given, zipfile.ZipFile(after, "w", zipfile.ZIP_STORED) as made:
        for name in sorted(given.namelist()):
            data = given.read(name)
            if name.endswith(".py") and (name in used or name.startswith(MINE)):
                name, data = name + "c", compiled(name, data)
            made.writestr(zipfile.ZipInfo(name), data)
`);
fs.writeFileSync(path.join(out, "ours.zip"), python.FS.readFile("/ours-compiled.zip"));
fs.writeFileSync(path.join(out, "library.zip"), python.FS.readFile("/library-compiled.zip"));
