// Makes a large module of the bundle a script, of which V8's compiled code can be kept with the functions that a start needs (docs/decisions/0047).
// What remains of the module imports what it imported, runs the script, and exports what it exported.
import {posix} from 'node:path';
import vm from 'node:vm';
import {parseSync} from 'oxc-parser';

/**
 * @param name path of the module in the bundle
 * @param code its text, as rolldown writes it
 * @param runner path of the module with `runScript` in the bundle
 * @returns texts of the module and of the script, by path
 * @throws Error if the module needs what only modules have
 */
export function scriptOf(name, code, runner) {
  const {program, errors} = parseSync(name, code, {sourceType: 'module'});
  if (errors.length > 0) throw new Error(`${name}: ${errors[0].message}`);
  const imports = program.body.filter(({type}) => type === 'ImportDeclaration');
  const exports = program.body.filter(({type}) => type.startsWith('Export'));
  const named = exports.flatMap((statement) => namesOf(name, statement));
  const changed = changedLater(
    program,
    named.map(({local}) => local),
  );
  if (changed.length > 0) throw new Error(`${name}: exports that change after the module has run: ${changed.join(', ')}`);
  // What was imported or exported leaves its line, so that lines keep their numbers.
  const body = replaced(code, [
    ...[...imports, ...exports].map(({start, end}) => ({start, end, text: '\n'.repeat(code.slice(start, end).split('\n').length - 1)})),
    ...nodesOf(program, ({type}) => type === 'MetaProperty' || type === 'ImportExpression')
      // Of `import.meta` all, of `import(…)` the first word.
      .filter(({type, meta}) => type === 'ImportExpression' || meta.name === 'import')
      .map(({type, start, end}) =>
        type === 'MetaProperty' ? {start, end, text: '__meta'} : {start, end: start + 'import'.length, text: '__import'},
      ),
  ]);
  const {modules, bindings} = importsOf(imports);
  const script = ascii(
    name,
    `(function (__meta, __import, __imports) { 'use strict'; ${bindings} ${body}\nreturn {${named.map(({local, exported}) => `${exported}: ${local}`).join(', ')}};\n})`,
  );
  const file = name.replace(/\.js$/, '.script.js');
  // Throws for what a function cannot have.
  new vm.Script(script, {filename: file});
  const relative = (path) =>
    (posix.relative(posix.dirname(name), path).startsWith('.') ? '' : './') + posix.relative(posix.dirname(name), path);
  const shown = named.filter(({exported}) => exported !== 'default').map(({exported}) => exported);
  const module = [
    ...modules.map((from, index) => `import * as __i${index} from ${JSON.stringify(from)};`),
    `import {runScript as __run} from ${JSON.stringify(relative(runner))};`,
    `const __url = new URL(${JSON.stringify(relative(file))}, import.meta.url).href;`,
    'const __import = (specifier, options) => import(specifier, options);',
    `const __exports = __run(__url)(import.meta, __import, [${modules.map((_, index) => `__i${index}`).join(', ')}]);`,
    // Names of exports may be words of the language, those of constants not.
    `const {${shown.map((exported, index) => `${exported}: __e${index}`).join(', ')}} = __exports;`,
    `export {${shown.map((exported, index) => `__e${index} as ${exported}`).join(', ')}};`,
    ...(named.length > shown.length ? ['export default __exports.default;'] : []),
  ].join('\n');
  return new Map([
    [name, `${module}\n`],
    [file, script],
  ]);
}

function namesOf(name, statement) {
  if (statement.type === 'ExportDefaultDeclaration' && statement.declaration.type === 'CallExpression')
    return [{local: `${statement.declaration.callee.name}()`, exported: 'default'}];
  if (statement.type !== 'ExportNamedDeclaration' || statement.declaration || statement.source)
    throw new Error(`${name}: an export of another form: ${statement.type}`);
  return statement.specifiers.map(({local, exported}) => ({local: local.name, exported: exported.name}));
}

/** Modules of Node.js are had without what only `import` needs, among it the values of all their exports. */
function importsOf(statements) {
  const modules = [];
  const bindings = statements.map(({source, specifiers}) => {
    const from = source.value;
    const isBuiltin = from.startsWith('node:');
    const all = isBuiltin ? `process.getBuiltinModule(${JSON.stringify(from)})` : `__imports[${modules.push(from) - 1}]`;
    const whole = specifiers.filter(({type}) => type === 'ImportNamespaceSpecifier' || (isBuiltin && type === 'ImportDefaultSpecifier'));
    const members = specifiers
      .filter((specifier) => !whole.includes(specifier))
      .map(({imported, local}) => `${imported?.name ?? 'default'}: ${local.name}`);
    return [
      ...whole.map(({local}) => `const ${local.name} = ${all};`),
      ...(members.length > 0 ? [`const {${members.join(', ')}} = ${all};`] : []),
    ].join(' ');
  });
  // A local name of the script must not be in the way of the global one.
  return {modules, bindings: bindings.join(' ').replaceAll('process.getBuiltinModule', 'globalThis.process.getBuiltinModule')};
}

/** Those of the names that a function assigns to: the module runs its own statements before anybody reads its exports. */
function changedLater(program, names) {
  const exported = new Set(names);
  const found = new Set();
  const assigned = (target, own) => {
    if (target?.type === 'Identifier' && exported.has(target.name) && !own.some((scope) => scope.has(target.name))) found.add(target.name);
  };
  const visit = (node, own) => {
    if (!node || typeof node !== 'object') return;
    if (Array.isArray(node)) {
      for (const each of node) visit(each, own);
      return;
    }
    const inside = /Function/.test(node.type ?? '') ? [...own, declaredIn(node)] : own;
    if (inside.length > 0) {
      if (node.type === 'AssignmentExpression') targets(node.left).forEach((target) => assigned(target, inside));
      if (node.type === 'UpdateExpression') assigned(node.argument, inside);
      if (/^For(In|Of)Statement$/.test(node.type)) assigned(node.left, inside);
    }
    for (const key of Object.keys(node)) visit(node[key], inside);
  };
  visit(program.body, []);
  return [...found];
}

/** Names that a function declares anywhere in it. */
function declaredIn(node) {
  const names = new Set();
  const visit = (each) => {
    if (!each || typeof each !== 'object') return;
    if (Array.isArray(each)) {
      for (const inner of each) visit(inner);
      return;
    }
    if (each.type === 'VariableDeclarator') targets(each.id).forEach(({name}) => names.add(name));
    if (/^(Function|Class)Declaration$/.test(each.type) && each !== node) names.add(each.id?.name);
    if (/Function/.test(each.type ?? '')) (each.params?.items ?? each.params ?? []).flatMap(targets).forEach(({name}) => names.add(name));
    if (each.type === 'CatchClause') targets(each.param).forEach(({name}) => names.add(name));
    for (const key of Object.keys(each)) visit(each[key]);
  };
  visit(node);
  return names;
}

/** Identifiers of a pattern. */
function targets(pattern) {
  if (!pattern) return [];
  if (pattern.type === 'Identifier') return [pattern];
  if (pattern.type === 'ObjectPattern') return pattern.properties.flatMap((each) => targets(each.value ?? each.argument));
  if (pattern.type === 'ArrayPattern') return pattern.elements.flatMap(targets);
  return targets(pattern.left ?? pattern.argument ?? pattern.parameter);
}

function nodesOf(program, wanted) {
  const found = [];
  const visit = (node) => {
    if (!node || typeof node !== 'object') return;
    if (node.type !== undefined && wanted(node)) found.push(node);
    for (const key of Object.keys(node)) visit(node[key]);
  };
  visit(program.body);
  return found;
}

function replaced(code, changes) {
  let [text, at] = ['', 0];
  for (const {start, end, text: replacement} of changes.toSorted((a, b) => a.start - b.start)) {
    text += code.slice(at, start) + replacement;
    at = end;
  }
  return text + code.slice(at);
}

/** One byte for each character, in memory too: with a single character that needs two, all would take two. */
function ascii(name, code) {
  const odd = /\\[^\x00-\x7f]|String\.raw`[^`]*[^\x00-\x7f]/.exec(code);
  if (odd) throw new Error(`${name}: ${JSON.stringify(odd[0])} would be another text when written in ASCII`);
  return code.replaceAll(/[^\x00-\x7f]/g, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
