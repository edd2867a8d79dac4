// Checks what comments and documents cite of this repository: that the file is there, and in a Markdown file the heading. Rules
// that stand in no file of the repository may not be cited.
//
//   node scripts/check-citations.mjs [--root DIR]
import './require-node.mjs';
import {existsSync, readdirSync, readFileSync} from 'node:fs';
import {dirname, join, resolve} from 'node:path';
import {pathToFileURL} from 'node:url';
import {parseArgs} from 'node:util';
import {filesBelow} from './source-files.mjs';

/** `docs/semantics/lists-and-watch.md#events`, `docs/decisions/0020`. */
const citation = /(?<![\w/.-])docs\/(?:decisions\/(\d{4})\b(?!-)|([\w./-]*\w\.md)(?:#([\w-]+))?)/g;
/** `[text](path#heading)` in Markdown. */
const link = /\]\(([^)\s#:]*)(?:#([^)\s]+))?\)/g;
/** Requirements that only those who wrote this have. */
const outside = /\bspecification,[\s*]+document \d|\bdocument [12], "|\(rulings? \d/;

/** Answers `{files, problems}`; a problem begins with file and line. */
export function checkCitations(root) {
  const headings = new Map();
  const problems = [];
  // Tests of the checks have texts with faults.
  const paths = filesBelow(root, /\.(ts|mts|mjs|js|sh|lua|md)$/).filter((path) => !path.startsWith('test/scripts/'));
  for (const path of paths) {
    const text = readFileSync(join(root, path), 'utf8');
    const tell = (index, problem) => problems.push(`${path}:${text.slice(0, index).split('\n').length}: ${problem}`);
    for (const match of text.matchAll(citation)) {
      const [, decision, file, heading] = match;
      if (decision !== undefined) {
        const found = folder(root, 'docs/decisions').some((name) => name.startsWith(`${decision}-`));
        if (!found) tell(match.index, `there is no decision ${decision}`);
      } else checkTarget(`docs/${file}`, heading, match.index, tell);
    }
    if (path.endsWith('.md')) {
      for (const match of withoutCode(text).matchAll(link)) {
        const [, target, heading] = match;
        checkTarget(target === '' ? path : join(dirname(path), target), heading, match.index, tell);
      }
    }
    const found = outside.exec(text);
    if (found) tell(found.index, 'cites what is not in this repository: say it in docs/semantics, and cite that');
  }
  return {files: paths.length, problems};

  function checkTarget(file, heading, index, tell) {
    if (!existsSync(join(root, file))) tell(index, `${file} is not there`);
    else if (heading !== undefined && file.endsWith('.md') && !headingsOf(file).has(heading))
      tell(index, `${file} has no heading #${heading}`);
  }

  function headingsOf(file) {
    let found = headings.get(file);
    if (!found) {
      const lines = readFileSync(join(root, file), 'utf8').split('\n');
      found = new Set(lines.filter((line) => /^#{1,6} /.test(line)).map(slugOf));
      headings.set(file, found);
    }
    return found;
  }
}

/** The anchor that a heading gets where Markdown is shown. */
export function slugOf(heading) {
  return heading
    .replace(/^#+ /, '')
    .trim()
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(/\s/g, '-');
}

/** Blocks and words of code are no links; their length stays, so that places are right. */
function withoutCode(text) {
  return text.replaceAll(/```[\s\S]*?```|`[^`\n]*`/g, (code) => code.replaceAll(/[^\n]/g, ' '));
}

function folder(root, path) {
  return existsSync(join(root, path)) ? readdirSync(join(root, path)) : [];
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  const {values} = parseArgs({options: {root: {type: 'string', default: '.'}}});
  const {files, problems} = checkCitations(resolve(values.root));
  for (const problem of problems) console.log(problem);
  console.log(`citations: ${files} files, ${problems.length} problems`);
  process.exitCode = problems.length > 0 ? 1 : 0;
}
