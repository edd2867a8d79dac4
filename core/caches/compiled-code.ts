import {randomBytes} from 'node:crypto';
import {readFileSync, renameSync, rmSync, writeFileSync} from 'node:fs';
import {basename, join} from 'node:path';
import {fileURLToPath} from 'node:url';
import vm from 'node:vm';
import {crc32} from 'node:zlib';
import {digitsOf, scriptFolder, type ScriptFolder} from './compiled-folders.js';

export {keepCompiledCode} from './compiled-folders.js';

/** A script of the bundle without code that could be used again: it is kept when the functions of a start have been compiled. */
interface Uncompiled {
  readonly script: vm.Script;
  readonly source: number;
  readonly file: string;
}

/** Checksums of the script's text and of its code. */
const headerBytes = 8;
const uncompiled: Uncompiled[] = [];
/** Looked for when the first script is run. */
let found: {readonly folder: ScriptFolder | undefined} | undefined;

/**
 * Reads a large part of the bundle, which scripts/bundle-scripts.mjs has made a function of its imports. Node.js keeps compiled code of a module as it
 * is before anything of it has run, which is next to nothing; of a script it can be kept later, with what a start needs (docs/decisions/0047).
 *
 * @param url of the script, whose text is ASCII
 * @returns the value of the script: a function
 */
export function runScript(url: string): unknown {
  const text = readFileSync(fileURLToPath(url));
  // Flags, version and machine are in the folder's name, and V8 looks at them again.
  const {folder} = (found ??= {folder: scriptFolder()});
  const file = folder === undefined ? undefined : join(folder.path, `${basename(url)}-${digitsOf(url)}`);
  const source = crc32(text);
  const cachedData = folder?.isThere === true ? compiledCode(file!, source) : undefined;
  const script = new vm.Script(text.toString('latin1'), {
    filename: url,
    ...(cachedData && {cachedData}),
  });
  if (file !== undefined && (cachedData === undefined || script.cachedDataRejected === true)) uncompiled.push({script, source, file});
  return script.runInThisContext();
}

/** Keeps the code of scripts that had to be compiled, as far as it is compiled now. A start that finds none just takes longer: errors are let go. */
export function keepScripts(): void {
  const scripts = uncompiled.splice(0);
  if (scripts.length === 0) return;
  try {
    if (!found!.folder!.prepare()) return;
  } catch {
    return;
  }
  for (const {script, source, file} of scripts) {
    const code = script.createCachedData();
    const header = Buffer.alloc(headerBytes);
    header.writeUInt32LE(source, 0);
    header.writeUInt32LE(crc32(code), 4);
    const written = `${file}.${randomBytes(6).toString('hex')}`;
    try {
      writeFileSync(written, Buffer.concat([header, code]), {mode: 0o600});
      renameSync(written, file);
    } catch {
      rmSync(written, {force: true});
    }
  }
}

function compiledCode(file: string, source: number): Buffer | undefined {
  let bytes;
  try {
    bytes = readFileSync(file);
  } catch {
    return undefined;
  }
  if (bytes.length <= headerBytes || bytes.readUInt32LE(0) !== source) return undefined;
  const code = bytes.subarray(headerBytes);
  return bytes.readUInt32LE(4) === crc32(code) ? code : undefined;
}
