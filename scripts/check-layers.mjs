// Checks who imports whom: the table below, which packages belong to whom, which words a folder may not use, and that there are no cycles, neither of files nor,
// inside the rooms named below, of folders. Type imports, re-exports, `import('…')` types and dynamic imports count like any other.
//
//   node scripts/check-layers.mjs [--root DIR]
import './require-node.mjs';
import {existsSync, readFileSync} from 'node:fs';
import {join, posix, resolve} from 'node:path';
import {pathToFileURL} from 'node:url';
import {parseArgs} from 'node:util';
import {parseSync, Visitor} from 'oxc-parser';
import {filesBelow} from './source-files.mjs';

/**
 * The rows: a folder and the folders it may import from besides itself. `*` is one path segment, so that two folders that
 * match the same row are strangers to each other. The most specific row that matches a file is the file's row.
 */
export const layers = [
  {folder: 'sdk', may: []},
  {folder: 'sdk/client', may: ['sdk']},
  {folder: 'core/caches', may: []},
  {folder: 'core/kernel', may: ['sdk']},
  {folder: 'core/api', may: ['sdk']},
  {folder: 'core/storage', may: ['sdk', 'core/api']},
  {folder: 'core/tracing', may: ['sdk']},
  {folder: 'core/logs', may: ['sdk']},
  {folder: 'core/registry', may: ['sdk', 'core/api', 'core/storage', 'core/tracing', 'core/metrics']},
  {folder: 'core/metrics', may: ['sdk']},
  {folder: 'core/http', may: ['sdk', 'core/api', 'core/storage', 'core/registry', 'core/metrics', 'core/tracing', 'core/logs']},
  {folder: 'core/configuration', may: ['sdk', 'core/api', 'core/kernel']},
  {folder: 'core/pki', may: ['sdk']},
  {folder: 'core/tls', may: ['sdk', 'core/kernel', 'core/configuration', 'core/http']},
  {folder: 'core/encryption', may: ['sdk', 'core/api', 'core/kernel', 'core/configuration', 'core/storage']},
  {folder: 'core/controllers', may: ['sdk', 'sdk/client', 'core/kernel', 'core/storage', 'core/registry', 'core/http']},
  {folder: 'core/tracing/export', may: ['sdk', 'core/kernel', 'core/configuration', 'core/metrics', 'core/tracing']},
  {folder: 'core/audit', may: ['sdk', 'core/kernel', 'core/configuration', 'core/registry']},
  {folder: 'core/testing', may: ['sdk', 'core/api', 'core/storage', 'core/registry', 'core/http']},
  {
    folder: 'core/options',
    may: ['sdk', 'core/api', 'core/kernel', 'core/logs', 'core/configuration', 'core/http', 'core/tls', 'core/controllers'],
  },
  {folder: 'core/catalog', may: ['sdk', 'core/api', 'core/kernel', 'core/registry']},
  {folder: 'core/store-tools', may: ['sdk', 'core/kernel', 'core/logs', 'core/storage', 'core/options']},
  {folder: 'core/workers', may: ['sdk', 'core/kernel', 'core/options', 'core/http']},
  {folder: 'core/lifetimes', may: ['sdk', 'core/api', 'core/metrics', 'core/tracing/export', 'core/registry', 'core/http', 'core/options']},
  {
    folder: 'core/plugin-checks',
    may: [
      'sdk',
      'core/api',
      'core/kernel',
      'core/logs',
      'core/configuration',
      'core/http',
      'core/catalog',
      'core/lifetimes',
      'plugins/resources/*',
    ],
  },
  {folder: 'core/server', may: ['**']},
  {
    folder: 'core/cli',
    may: [
      'sdk',
      'sdk/client',
      'core/caches',
      'core/kernel',
      'core/logs',
      'core/configuration',
      'core/tls',
      'core/controllers',
      'core/options',
      'core/catalog',
      'core/store-tools',
      'core/workers',
      'core/lifetimes',
      'core/plugin-checks',
      'core/server',
    ],
  },
  {folder: 'plugins/families/*', may: ['sdk', 'plugins/families/*']},
  {folder: 'plugins/stores/*', may: ['sdk']},
  {folder: 'plugins/resources/*', may: ['sdk', 'plugins/families/*']},
  {folder: 'plugins/authenticators/*', may: ['sdk', 'plugins/families/*']},
  {folder: 'plugins/authorizers/*', may: ['sdk', 'plugins/families/*']},
  {folder: 'plugins/admission/*', may: ['sdk', 'plugins/families/*']},
  {folder: 'plugins/audit/*', may: ['sdk', 'plugins/families/*']},
  {folder: 'plugins/webhooks/*', may: ['sdk', 'plugins/families/*']},
  {folder: 'plugins/controllers/*', may: ['sdk', 'plugins/families/*']},
  {folder: 'plugins/routes/*', may: ['sdk', 'plugins/families/*']},
  {folder: 'plugins/console/server', may: ['sdk']},
  {folder: 'plugins/console/browser', may: ['sdk/types']},
  {folder: 'testing', may: ['sdk', 'sdk/client', 'core/server']},
  {folder: 'examples/*', may: []},
  {folder: 'test', may: ['**']},
  {folder: 'rigs', may: ['**']},
  {folder: 'scripts', may: ['scripts/types', 'core/api']},
  {folder: 'scripts/types', may: ['core/cli']},
];

/** The product: in none of its folders do those inside, or files beside them, import each other in a circle. */
const trees = /^(?:core|plugins|sdk|testing)\//;

/** What every plugin loads; contracts name types of the network's. */
const sdkWithoutNetwork = [
  'authentication',
  'controllers',
  'errors',
  'labels',
  'net',
  'objects',
  'plugin',
  'types',
  'validation',
  'values',
  'webhooks',
  'index.ts',
].map((name) => `sdk/${name}`);

/** Plugins come into the sdk where those from outside do: by its modules' indexes and the generated types. */
const doors = {from: /^plugins\//, into: /^sdk\//, by: /^sdk\/(?:(?:[a-z-]+\/)?index\.ts$|types\/)/};

/** Packages (or modules of Node) that only some places may import. `names` narrows a row to imported names. */
export const packages = [
  {match: /^restify$/, only: ['core/http/node/listener.ts'], why: 'restify is hidden behind one file'},
  {
    match: /^tsyringe$/,
    only: ['core/kernel/**'],
    why: "the container is the kernel's alone",
    except: {folders: ['sdk/**'], names: ['inject', 'injectable', 'InjectionToken']},
  },
  {
    match: /^prom-client$/,
    only: ['core/metrics/runtime-metrics.ts', 'test/**', 'rigs/**'],
    why: 'what it tells is rendered in one place, and it is loaded by the first who asks',
  },
  {
    match: /^(redis|ioredis|lmdb|@redis\/.*)$/,
    only: ['plugins/stores/**', 'test/**', 'rigs/**'],
    why: 'a database belongs to its store plugin',
  },
  {
    match: /^node:(http|https|http2|tls|net)$/,
    not: ['core/kernel/**', 'core/api/**', 'core/storage/**', 'core/registry/**'],
    why: 'the network belongs to core/http',
  },
  {
    match: /^node:(http|https|http2|tls|net|child_process)$/,
    not: sdkWithoutNetwork,
    why: 'in sdk only sdk/client and sdk/https talk to the network',
    except: {folders: ['sdk/net/**'], names: ['isIP']},
  },
  {
    match: /^@orch-api\/orch(\/|$)/,
    only: ['examples/**', 'test/**', 'rigs/**'],
    why: 'the package name is for those outside, and for tests of servers: import the file by its path',
  },
  {
    match: /^(?!(?:tsyringe|reflect-metadata|ajv|semver\/.*|@orch-api\/orch\/sdk|node:(?:fs|module|path|url))$)/,
    not: ['core/kernel/**'],
    why: 'the kernel brings plugins to life and could be published alone: it needs a container, schemas and version ranges, nothing else',
  },
  {
    match: /^(?:preact|uplot|yaml|@codemirror|@lezer)(?:\/|$)/,
    only: ['plugins/console/browser/**', 'test/**'],
    why: 'it runs in browsers: the build puts it into the pages of the console',
  },
  {
    match: /^node:/,
    not: ['plugins/console/browser/**'],
    why: 'it runs in browsers',
  },
  {match: /^ava$/, only: ['test/**', 'rigs/**'], why: 'a test library belongs to tests'},
];

/** Words that files of a folder may not use, in code or comments: what they name is for others to know. */
export const words = [
  {
    folder: 'core/kernel',
    words: /\b(?:[sS]ervers?|[fF]lags?|HTTPS?|(?<!node:)https?|CLI)\b|\b(?:server|flag|http)(?=[A-Z])|[a-z](?:Server|Flag|Http)|'--/,
    why: 'the kernel knows nothing of servers, flags and HTTP',
  },
  ...[
    'core/api',
    'core/metrics',
    'core/registry',
    'core/storage',
    'plugins/admission',
    'plugins/authorizers',
    'plugins/resources',
    'sdk/controllers',
  ].map((folder) => ({
    folder,
    words: /\bsetImmediate\b/,
    why: 'work that goes on in a later turn is a task of the scheduler (decision 57)',
  })),
];

/** Turns a folder pattern into an expression over paths. `*` is one segment, `**` anything. */
function pathExpression(pattern) {
  const text = pattern
    .split('/')
    .map((part) => (part === '**' ? '.*' : part.replace(/[.+]/g, '\\$&').replaceAll('*', '[^/]+')))
    .join('/');
  return new RegExp(`^${text}(?=/|$)`);
}

const rows = layers
  .map((row) => ({...row, expression: pathExpression(row.folder)}))
  .sort((a, b) => b.folder.split('/').length - a.folder.split('/').length);

/** The row of a file and the concrete folder of it (`plugins/stores/redis` for the row `plugins/stores/*`). */
function rowOf(path) {
  for (const row of rows) {
    const match = row.expression.exec(path);
    // A file that lies directly where a `*` stands for a folder (examples/readme.ts) has no row.
    if (match && match[0] !== path) return {row, folder: match[0]};
  }
  return undefined;
}

/** Imports of one module: specifier, imported names (undefined when all), place. */
function importsOf(path, source) {
  const parsed = parseSync(path, source);
  if (parsed.errors.length > 0) return {imports: [], error: parsed.errors[0].message};
  const imports = [];
  const add = (specifier, start, names) => imports.push({specifier, names, line: source.slice(0, start).split('\n').length});
  for (const item of parsed.module.staticImports) {
    const all = item.entries.length === 0 || item.entries.some((entry) => entry.importName.kind !== 'Name');
    add(item.moduleRequest.value, item.start, all ? undefined : item.entries.map((entry) => entry.importName.name));
  }
  for (const item of parsed.module.staticExports) {
    for (const entry of item.entries) {
      if (!entry.moduleRequest) continue;
      add(entry.moduleRequest.value, entry.start, entry.importName.kind === 'Name' ? [entry.importName.name] : undefined);
    }
  }
  const literal = (node) => (node?.type === 'Literal' && typeof node.value === 'string' ? node.value : undefined);
  new Visitor({
    ImportExpression(node) {
      if (literal(node.source) !== undefined) add(literal(node.source), node.start);
    },
    TSImportType(node) {
      if (literal(node.source) !== undefined)
        add(literal(node.source), node.start, node.qualifier?.name ? [node.qualifier.name] : undefined);
    },
    TSExternalModuleReference(node) {
      if (literal(node.expression) !== undefined) add(literal(node.expression), node.start);
    },
    CallExpression(node) {
      if (node.callee.type === 'Identifier' && node.callee.name === 'require' && literal(node.arguments[0]) !== undefined) {
        add(literal(node.arguments[0]), node.start);
      }
    },
  }).visit(parsed.program);
  return {imports};
}

/** The source file behind a relative specifier, as a path below root; undefined when there is none. */
function targetOf(root, from, specifier) {
  const plain = posix.normalize(posix.join(posix.dirname(from), specifier));
  const candidates = [plain.replace(/\.js$/, '.ts'), plain.replace(/\.js$/, '.tsx'), plain.replace(/\.mjs$/, '.mts'), plain];
  return candidates.find((path) => existsSync(join(root, path)));
}

/** Groups of files that import each other in a circle, each as a path from a file back to itself. */
function cyclesIn(edges) {
  const state = new Map();
  const trail = [];
  const cycles = [];
  const visit = (file) => {
    state.set(file, 'open');
    trail.push(file);
    for (const next of edges.get(file) ?? []) {
      if (state.get(next) === 'open') cycles.push([...trail.slice(trail.indexOf(next)), next]);
      else if (!state.has(next)) visit(next);
    }
    trail.pop();
    state.set(file, 'done');
  };
  for (const file of edges.keys()) if (!state.has(file)) visit(file);
  return cycles;
}

/** Circles between what stands beside each other in a folder, each with an import for each step. `edges` are those of files. */
function* folderCircles(edges) {
  /** Folder → a folder or file in it → those beside it that it imports → an import. */
  const rooms = new Map();
  const member = (map, key) => map.get(key) ?? map.set(key, new Map()).get(key);
  for (const [from, targets] of edges) {
    for (const to of targets) {
      if (!trees.test(from)) continue;
      const [own, other] = [from.split('/'), to.split('/')];
      const depth = own.findIndex((part, index) => part !== other[index]);
      if (depth > 0) member(member(rooms, own.slice(0, depth).join('/')), own[depth]).set(other[depth], `${from} imports ${to}`);
    }
  }
  for (const [room, steps] of rooms) {
    for (const cycle of cyclesIn(new Map([...steps].map(([name, others]) => [name, others.keys()])))) {
      // One of files alone is told as such.
      if (cycle.every((name) => name.endsWith('.ts'))) continue;
      const imports = cycle.slice(1).map((to, index) => steps.get(cycle[index]).get(to));
      yield `${room}: its folders import each other in a circle, ${cycle.join(' → ')}: ${imports.join('; ')}`;
    }
  }
}

function packageProblem(path, specifier, names) {
  for (const rule of packages) {
    if (!rule.match.test(specifier)) continue;
    const inside = (patterns) => patterns.some((pattern) => pathExpression(pattern).test(path));
    if (rule.not ? !inside(rule.not) : inside(rule.only)) continue;
    const except = rule.except;
    if (except && inside(except.folders) && names?.every((name) => except.names.includes(name))) continue;
    return `may not import ${specifier}: ${rule.why}`;
  }
  return undefined;
}

/** The lines of a file with words that its folder may not use. */
function* wordProblems(path, source) {
  for (const {folder, words: expression, why} of words) {
    if (!path.startsWith(`${folder}/`)) continue;
    for (const [index, line] of source.split('\n').entries()) {
      const found = expression.exec(line);
      if (found) yield `${path}:${index + 1}: ${JSON.stringify(found[0])}: ${why}`;
    }
  }
}

/** Checks a tree. Answers `{files, problems}`, each problem one line that begins with `FILE:LINE` or `FILE`. */
export function checkLayers(root) {
  const problems = [];
  const edges = new Map();
  const strangers = new Set();
  const files = filesBelow(root, /\.(tsx?|mts|mjs|js)$/).filter((path) => path.includes('/'));
  for (const path of files) {
    const own = rowOf(path);
    if (!own) {
      const folder = posix.dirname(path);
      if (!strangers.has(folder)) problems.push(`${folder}: this folder is not in the table of layers (scripts/check-layers.mjs)`);
      strangers.add(folder);
      continue;
    }
    const source = readFileSync(join(root, path), 'utf8');
    problems.push(...wordProblems(path, source));
    const {imports, error} = importsOf(path, source);
    if (error) {
      problems.push(`${path}: cannot be parsed: ${error}`);
      continue;
    }
    const targets = new Set();
    const refused = new Set();
    edges.set(path, targets);
    for (const {specifier, names, line} of imports) {
      const where = `${path}:${line}`;
      if (!specifier.startsWith('.')) {
        if (specifier.startsWith('/') || specifier.startsWith('file:')) problems.push(`${where}: imports the absolute path ${specifier}`);
        const problem = packageProblem(path, specifier, names);
        // `import {X}` and then `export {X}` are two entries of one mistake.
        if (problem && !refused.has(specifier)) problems.push(`${where}: ${problem}`);
        if (problem) refused.add(specifier);
        continue;
      }
      const target = targetOf(root, path, specifier);
      if (!target) {
        problems.push(`${where}: imports ${specifier}, which does not exist`);
        continue;
      }
      if (doors.from.test(path) && doors.into.test(target) && !doors.by.test(target))
        problems.push(
          `${where}: plugins import sdk/index.ts, the index of a folder of sdk, or sdk/types, as those from outside do: ${target} is none`,
        );
      const other = rowOf(target);
      const may = own.row.may;
      if (!other || other.folder === own.folder || may.some((pattern) => pattern === '**' || rowOf(`${pattern}/x`)?.row === other.row)) {
        targets.add(target);
        continue;
      }
      const only = may.length === 0 ? 'only itself' : `only itself, ${may.join(', ')}`;
      problems.push(`${where}: ${own.folder} may not import ${other.folder} (${target}); it may import ${only}`);
    }
  }
  for (const cycle of cyclesIn(edges)) problems.push(`${cycle[0]}: import cycle ${cycle.join(' → ')}`);
  problems.push(...folderCircles(edges));
  return {files: files.length, problems};
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  const {values} = parseArgs({options: {root: {type: 'string', default: '.'}}});
  const {files, problems} = checkLayers(resolve(values.root));
  for (const problem of problems) console.log(problem);
  console.log(`layers: ${files} files, ${problems.length} ${problems.length === 1 ? 'problem' : 'problems'}`);
  process.exitCode = problems.length > 0 ? 1 : 0;
}
