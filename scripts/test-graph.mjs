// Which compiled test imports what, directly or through others.
import {existsSync, readFileSync} from 'node:fs';
import {dirname, join, relative} from 'node:path';
import {parseSync, Visitor} from 'oxc-parser';
import {filesBelow} from './source-files.mjs';

/** A test that reaches one of these starts a server or another program, or tries thousands of cases: it takes seconds. */
const slow = /^(?:core\/server\/create-server\.js|node:child_process|node:cluster|fast-check)$|^test\/core\/api\/work-bounds\//;

/** The compiled file of a name that tests import what users get by: that is in the bundle, at the same place. */
function placeOf(name) {
  const [, own, more = ''] = /^(#bundle|@orch-api\/orch)(?:\/(.*))?$/.exec(name) ?? [];
  if (own === undefined) return name;
  if (own === '#bundle') return more;
  if (more === '') return 'core/server/index.js';
  if (/^(?:families|types)\//.test(more)) return `${more.startsWith('t') ? 'sdk' : 'plugins'}/${more}.js`;
  return more === 'client' ? 'sdk/client/index.js' : `${more}/index.js`;
}

export class TestGraph {
  #out;
  #imports = new Map();
  #reached = new Map();

  /** @param out the folder that the build has written */
  constructor(out) {
    this.#out = out;
    this.tests = filesBelow(join(out, 'test'), /\.test\.js$/).map((path) => `test/${path}`);
  }

  /** Tests without servers and programs. */
  fastTests() {
    return this.tests.filter((test) => ![...this.#reach(test).keys()].some((file) => slow.test(file)));
  }

  /** Tests that reach one of some files: first those in the folder that mirrors its own, then those that import it most directly. */
  testsOf(changed) {
    const mirrors = new Set(changed.map((file) => `test/${dirname(file)}`));
    const distances = this.tests.map((test) => {
      const reached = this.#reach(test);
      const distance = Math.min(...changed.map((file) => reached.get(file) ?? Infinity));
      return {test, distance: mirrors.has(dirname(test)) && distance < Infinity ? 0 : distance};
    });
    return distances
      .filter(({distance}) => distance < Infinity)
      .sort((a, b) => a.distance - b.distance)
      .map(({test}) => test);
  }

  /** What a file reaches → over how many imports. */
  #reach(file) {
    const known = this.#reached.get(file);
    if (known) return known;
    const reached = new Map([[file, 0]]);
    for (const [at, distance] of reached)
      for (const other of this.#importsOf(at)) if (!reached.has(other)) reached.set(other, distance + 1);
    this.#reached.set(file, reached);
    return reached;
  }

  #importsOf(file) {
    const known = this.#imports.get(file);
    if (known) return known;
    const found = new Set();
    this.#imports.set(file, found);
    const path = join(this.#out, file);
    if (!file.endsWith('.js') || !existsSync(path)) return found;
    const take = (source) => {
      if (typeof source?.value !== 'string') return;
      found.add(source.value.startsWith('.') ? relative(this.#out, join(dirname(path), source.value)) : placeOf(source.value));
    };
    new Visitor({
      ImportDeclaration: (node) => take(node.source),
      ExportNamedDeclaration: (node) => take(node.source),
      ExportAllDeclaration: (node) => take(node.source),
      ImportExpression: (node) => take(node.source),
    }).visit(parseSync(path, readFileSync(path, 'utf8')).program);
    return found;
  }
}
