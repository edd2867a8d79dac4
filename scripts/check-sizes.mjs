// Checks that source files stay small: a warning above 350 lines, an error above 500. Says how many lines each room of the product has.
//
//   node scripts/check-sizes.mjs [--root DIR]
import './require-node.mjs';
import {readFileSync} from 'node:fs';
import {join, resolve} from 'node:path';
import {pathToFileURL} from 'node:url';
import {parseArgs} from 'node:util';
import {filesBelow} from './source-files.mjs';

export const warnLines = 350;
export const errorLines = 500;

/** Made by scripts/generate-types.mjs: one file per schema document, as long as that is. */
const generated = /^sdk\/types\/.*\/v\d\w*\.ts$/;

/** What users run or import. Everything else (tests, rigs, scripts, examples) is not counted by room. */
const product = /^(core|plugins|sdk|testing)\//;

/**
 * Answers `{files, median, rooms, warnings, problems}`: `rooms` are texts with the lines of each room of the product, comments and blank lines
 * included, generated files not; warnings and problems are lines that begin with the file.
 */
export function checkSizes(root) {
  const warnings = [];
  const problems = [];
  const sizes = [];
  const layers = new Map();
  for (const path of filesBelow(root, /\.(tsx?|mts|mjs|js|sh|lua)$/)) {
    if (generated.test(path)) continue;
    const lines = readFileSync(join(root, path), 'utf8').split('\n').length - 1;
    sizes.push(lines);
    if (product.test(path)) countLines(layers, path.split('/'), lines);
    if (lines > errorLines) problems.push(`${path}: ${lines} lines, more than ${errorLines}`);
    else if (lines > warnLines) warnings.push(`${path}: ${lines} lines, more than ${warnLines}`);
  }
  sizes.sort((a, b) => a - b);
  return {files: sizes.length, median: sizes[sizes.length >> 1] ?? 0, rooms: describeRooms(layers), warnings, problems};
}

function countLines(layers, [layer, room, ...rest], lines) {
  const rooms = layers.get(layer) ?? new Map();
  layers.set(layer, rooms);
  const name = rest.length > 0 ? room : 'files beside them';
  rooms.set(name, (rooms.get(name) ?? 0) + lines);
}

function describeRooms(layers) {
  const sum = (numbers) => numbers.reduce((total, number) => total + number, 0);
  const texts = [...layers].map(([layer, rooms]) => {
    const largestFirst = [...rooms].sort(([, one], [, other]) => other - one);
    return `${layer} ${sum([...rooms.values()])} lines: ${largestFirst.map(([room, lines]) => `${room} ${lines}`).join(', ')}`;
  });
  return texts.length === 0 ? [] : [...texts, `product ${sum([...layers.values()].flatMap((rooms) => [...rooms.values()]))} lines`];
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  const {values} = parseArgs({options: {root: {type: 'string', default: '.'}}});
  const {files, median, rooms, warnings, problems} = checkSizes(resolve(values.root));
  for (const room of rooms) console.log(room);
  for (const warning of warnings) console.log(`warning: ${warning}`);
  for (const problem of problems) console.log(problem);
  console.log(`sizes: ${files} files, median ${median} lines, ${warnings.length} warnings, ${problems.length} problems`);
  process.exitCode = problems.length > 0 ? 1 : 0;
}
