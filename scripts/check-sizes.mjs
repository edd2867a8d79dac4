// Checks that source files stay small: a warning above 350 lines, an error above 500.
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

/** Answers `{files, median, warnings, problems}`; the last two are lines that begin with the file. */
export function checkSizes(root) {
  const warnings = [];
  const problems = [];
  const sizes = [];
  for (const path of filesBelow(root, /\.(ts|mts|mjs|js|sh|lua)$/)) {
    if (generated.test(path)) continue;
    const lines = readFileSync(join(root, path), 'utf8').split('\n').length - 1;
    sizes.push(lines);
    if (lines > errorLines) problems.push(`${path}: ${lines} lines, more than ${errorLines}`);
    else if (lines > warnLines) warnings.push(`${path}: ${lines} lines, more than ${warnLines}`);
  }
  sizes.sort((a, b) => a - b);
  return {files: sizes.length, median: sizes[sizes.length >> 1] ?? 0, warnings, problems};
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  const {values} = parseArgs({options: {root: {type: 'string', default: '.'}}});
  const {files, median, warnings, problems} = checkSizes(resolve(values.root));
  for (const warning of warnings) console.log(`warning: ${warning}`);
  for (const problem of problems) console.log(problem);
  console.log(`sizes: ${files} files, median ${median} lines, ${warnings.length} warnings, ${problems.length} problems`);
  process.exitCode = problems.length > 0 ? 1 : 0;
}
