// Holds numbers in documents against the constants that they are: a comment behind the number names the constant, and the end of its file's path.
//
//   at most 64 KiB<!-- read-body.ts longestBody --> of a body
//
//   node scripts/check-constants.mjs [--root DIR]
import './require-node.mjs';
import {existsSync, readFileSync} from 'node:fs';
import {join, resolve} from 'node:path';
import {pathToFileURL} from 'node:url';
import {parseArgs} from 'node:util';
import {filesBelow} from './source-files.mjs';

const named = /(?:([\d.,]*\d)(?: ([a-zA-Z]+)[^<|\n\d]*)?)?<!-- ([\w./-]+\.ts) (\w+) -->/g;
/** What a constant is counted in: milliseconds, bytes, or pieces. */
const units = {
  ms: 1,
  second: 1000,
  minute: 60_000,
  hour: 3_600_000,
  byte: 1,
  Ki: 1024,
  KiB: 1024,
  Mi: 1024 ** 2,
  MiB: 1024 ** 2,
  GiB: 1024 ** 3,
};
const folders = ['core', 'plugins', 'sdk', 'testing'];

/** Answers `{files, problems}`; a problem begins with file and line. */
export function checkConstants(root) {
  const sources = folders
    .filter((folder) => existsSync(join(root, folder)))
    .flatMap((folder) => filesBelow(join(root, folder), /\.ts$/).map((path) => `${folder}/${path}`));
  const problems = [];
  const pages = existsSync(join(root, 'docs')) ? filesBelow(join(root, 'docs'), /\.md$/).map((path) => `docs/${path}`) : [];
  for (const page of pages) {
    const text = readFileSync(join(root, page), 'utf8');
    for (const {0: whole, index, 1: digits, 2: unit = '', 3: file, 4: name} of text.matchAll(named)) {
      const place = `${page}:${text.slice(0, index + whole.length).split('\n').length}`;
      const paths = sources.filter((path) => path === file || path.endsWith(`/${file}`));
      const values = paths.map((path) => valueOf(readFileSync(join(root, path), 'utf8'), name)).filter((value) => value !== undefined);
      if (digits === undefined) problems.push(`${place}: no number stands before the name of ${name}`);
      else if (values.length !== 1)
        problems.push(`${place}: ${values.length === 0 ? 'no' : 'more than one'} ${file} has a constant ${name} that is a number`);
      else {
        const said = Number(digits.replaceAll(',', '')) * (units[unit] ?? units[unit.replace(/s$/, '')] ?? 1);
        if (said !== values[0]) problems.push(`${place}: ${name} of ${file} is ${values[0]}, not ${said}`);
      }
    }
  }
  return {files: pages.length, problems};
}

/** The value of `const NAME = 64 * 1024;`; undefined when there is no such constant, or it is put together from others. */
function valueOf(source, name) {
  const [, text] = new RegExp(`^(?:export )?const ${name}(?:: number)? = ([\\d_.* ]+);`, 'm').exec(source) ?? [];
  const factors = text?.replaceAll('_', '').split(/ \* /);
  return factors?.reduce(
    (product, factor) =>
      product *
      factor
        .split(' ** ')
        .map(Number)
        .reduce((base, exponent) => base ** exponent),
    1,
  );
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  const {values} = parseArgs({options: {root: {type: 'string', default: '.'}}});
  const {files, problems} = checkConstants(resolve(values.root));
  for (const problem of problems) console.log(problem);
  console.log(`constants: ${files} files, ${problems.length} problems`);
  process.exitCode = problems.length > 0 ? 1 : 0;
}
