// Compares the code in docs/cookbook with the examples that it is taken from: a block that begins with ```ts from=FILE has the text of that file, which
// is compiled and tested. FILE is relative to the repository.
//
//   node scripts/check-cookbook.mjs [--update] [--root DIR]
import './require-node.mjs';
import {existsSync, readdirSync, readFileSync, writeFileSync} from 'node:fs';
import {dirname, join, resolve} from 'node:path';
import {fileURLToPath, pathToFileURL} from 'node:url';
import {parseArgs} from 'node:util';

const home = resolve(dirname(fileURLToPath(import.meta.url)), '..');
const folder = 'docs/cookbook';
const block = /^```(\w+) from=(\S+)\n([^]*?)^```$/gm;

/** Answers `{files, problems}`: files are pages. With `update` the pages are written. */
export function checkCookbook(root, {update = false} = {}) {
  const problems = [];
  const pages = existsSync(join(root, folder)) ? readdirSync(join(root, folder)).filter((name) => name.endsWith('.md')) : [];
  for (const name of pages) {
    const page = join(folder, name);
    const text = readFileSync(join(root, page), 'utf8');
    const foreign = [...text.matchAll(/^```ts(?! from=).*$/gm)];
    if (foreign.length > 0) problems.push(`${page}: code that no test runs: name the file that it is from, as in \`\`\`ts from=examples/…`);
    const written = text.replaceAll(block, (whole, language, file, content) => {
      if (!existsSync(join(root, file))) {
        problems.push(`${page}: there is no ${file}`);
        return whole;
      }
      const source = readFileSync(join(root, file), 'utf8');
      if (content !== source && !update)
        problems.push(`${page}: not what ${file} says; npm exec -- node scripts/check-cookbook.mjs --update writes it`);
      return `\`\`\`${language} from=${file}\n${source}\`\`\``;
    });
    if (update && written !== text) writeFileSync(join(root, page), written);
  }
  return {files: pages.length, problems};
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  const {values} = parseArgs({options: {update: {type: 'boolean', default: false}, root: {type: 'string', default: home}}});
  const {files, problems} = checkCookbook(resolve(values.root), values);
  for (const problem of problems) console.log(problem);
  console.log(`cookbook: ${files} pages, ${problems.length} ${problems.length === 1 ? 'problem' : 'problems'}`);
  process.exitCode = problems.length > 0 ? 1 : 0;
}
