// Checks that nothing unfinished or private to one machine is in the tree, that private members are #private, and that those of Node.js are used in one room.
//
//   node scripts/check-words.mjs [--root DIR]
import './require-node.mjs';
import {readFileSync} from 'node:fs';
import {join, resolve} from 'node:path';
import {pathToFileURL} from 'node:url';
import {parseArgs} from 'node:util';
import {filesBelow} from './source-files.mjs';

const code = /\.(tsx?|mts|mjs|js|sh|lua)$|^run$/;
const anyText = /\.(tsx?|mts|mjs|js|sh|lua|md|json|ya?ml|toml)$|^run$/;

// One letter of each word stands in brackets, so that this file does not find itself.
export const rules = [
  {name: 'unfinished work', files: code, pattern: /\b(?:TOD[O]|FIXM[E]|XX[X])\b/},
  {name: 'the mark of a conflict that was not resolved', files: anyText, pattern: /^(?:<<<<<<[<] |>>>>>>[>] )/m},
  {name: 'a test that runs alone', files: /\.(ts|mts)$/, pattern: /\.onl[y]\(/},
  {name: 'a file beside the repository', files: anyText, pattern: /(?<![\w/])(?:\.\.\/)+share[d](?![\w.-])/},
  {name: 'a path of one machine', files: anyText, pattern: /(?<![\w.@}~-])\/(?:wor[k]|tm[p]|hom[e])\/[\w.-]/},
  {
    name: 'a private member that is not a #private one',
    files: /\.ts$/,
    folders: /^(?:core|plugins|sdk|testing|examples)\//,
    pattern:
      /(?:^\s*|[(,] ?|\) )privat[e] (?:readonly |static |async |override |get |set |\*)*(?!constructor\b)[\w$]+[?!]?(?:[:(<;,=)]| =)/m,
  },
  {
    name: 'a private name of Node.js outside of core/http/node',
    files: /\.ts$/,
    folders: /^(?:core|plugins|sdk|testing|examples)\/(?!http\/node\/)/,
    // Others that use one, each with a test that fails when the name goes.
    except: ['core/cli/loop-guard/watch-loop.ts', 'sdk/https/send-request.ts', 'sdk/net/small-reads.ts', 'testing/left-behind.ts'],
    pattern: new RegExp(
      [
        /[\w)\]!?]\._[a-zA-Z]/,
        /\{\s*_[a-zA-Z]\w*\??:/,
        /\bkOn[A-Z]/,
        /\breadableFlowing(?::| *=[^=])/,
        /\.(?:push|writeHead|destroySoon|readStart|readStop|maxHeaderSize) = /,
        /\b(?:assignSocket|detachSocket|shouldKeepAlive|stackTraceLimit|reallyExit|internalBinding|getOwnPropertySymbols)\b/,
        /\b(?:\w*Server|\w*Socket|ServerResponse|IncomingMessage|Readable|Writable|Duplex)\.prototype\b/,
        /\.emit\('(?:listening|connection|secureConnection|request|upgrade)'/,
        /\bprocess\.binding\b/,
      ]
        .map(({source}) => source)
        .join('|'),
    ),
  },
  {
    name: 'a word that CONTRIBUTING.md, Words, replaces',
    files: /\.ts$/,
    folders: /^(?:core|plugins|sdk)\/(?!types\/|testing\/|http\/request\/|api\/cel\/)/,
    except: ['sdk/controllers/follow-objects.ts'],
    pattern: /(?<=^(?:.*\s)?(?:\/\/|\/?\*+) (?:.*[^\w`'-])?)(?:tell[s]?|tol[d]|untol[d])\b(?! apart)/im,
  },
  {
    name: 'the host of a package registry',
    files: anyText,
    pattern: /\b(?:registry\.npmj[s]\.org|registry\.yarnpk[g]\.com|deb\.debia[n]\.org|security\.debia[n]\.org)\b/,
  },
];

/** Answers `{files, problems}`, each problem one line that begins with `FILE:LINE`. */
export function checkWords(root) {
  const problems = [];
  const files = filesBelow(root, anyText);
  for (const path of files) {
    const name = path.slice(path.lastIndexOf('/') + 1);
    const active = rules.filter((rule) => rule.files.test(name) && (rule.folders?.test(path) ?? true) && !rule.except?.includes(path));
    const text = readFileSync(join(root, path), 'utf8');
    if (!active.some((rule) => rule.pattern.test(text))) continue;
    text.split('\n').forEach((line, index) => {
      for (const rule of active) {
        const match = rule.pattern.exec(line);
        if (match) problems.push(`${path}:${index + 1}: ${rule.name}: ${match[0]}`);
      }
    });
  }
  return {files: files.length, problems};
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  const {values} = parseArgs({options: {root: {type: 'string', default: '.'}}});
  const {files, problems} = checkWords(resolve(values.root));
  for (const problem of problems) console.log(problem);
  console.log(`words: ${files} files, ${problems.length} ${problems.length === 1 ? 'problem' : 'problems'}`);
  process.exitCode = problems.length > 0 ? 1 : 0;
}
