// Counts the lines of core, plugins, sdk and testing, without generated files, now and at earlier commits.
//
//   node scripts/count-lines.mjs [REVISION…]
import './require-node.mjs';
import {execFileSync} from 'node:child_process';
import {resolve} from 'node:path';
import {pathToFileURL} from 'node:url';

const folders = ['core', 'plugins', 'sdk', 'testing'];
const counted = /\.(?:ts|lua)$/;
/** Types and validators that scripts write. */
const generated = /^sdk\/types\/|\/generated\/|\.generated\./;

const git = (...argv) => execFileSync('git', argv, {encoding: 'utf8', maxBuffer: 1 << 30});

/** Counts at a revision: `{files, lines, blank, comments}` by folder, and for all of them as `total`. */
export function countLines(revision) {
  const counts = Object.fromEntries([...folders, 'total'].map((name) => [name, {files: 0, lines: 0, blank: 0, comments: 0}]));
  const paths = git('ls-tree', '-r', '--name-only', revision, ...folders).split('\n');
  for (const path of paths) {
    if (!counted.test(path) || generated.test(path)) continue;
    const lines = git('show', `${revision}:${path}`).split('\n').slice(0, -1);
    const blank = lines.filter((line) => line.trim() === '').length;
    const comments = lines.filter((line) => /^\s*(?:\/\/|\/\*|\*|--)/.test(line)).length;
    for (const name of [path.slice(0, path.indexOf('/')), 'total']) {
      const count = counts[name];
      count.files += 1;
      count.lines += lines.length;
      count.blank += blank;
      count.comments += comments;
    }
  }
  return counts;
}

if (import.meta.url === pathToFileURL(resolve(process.argv[1])).href) {
  const revisions = process.argv.length > 2 ? process.argv.slice(2) : ['HEAD'];
  for (const revision of revisions) {
    console.log(`${revision} (${git('log', '-1', '--format=%h %cs', revision).trim()})`);
    for (const [name, {files, lines, blank, comments}] of Object.entries(countLines(revision)))
      console.log(
        `  ${name.padEnd(8)} ${String(files).padStart(5)} files ${String(lines).padStart(7)} lines: ${lines - blank - comments} code, ${comments} comment, ${blank} blank`,
      );
  }
}
