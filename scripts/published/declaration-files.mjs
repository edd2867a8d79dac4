import {readFileSync} from 'node:fs';
import {join, posix} from 'node:path';
import {parseSync, Visitor} from 'oxc-parser';

const declared = {
  TSInterfaceDeclaration: 'interface',
  TSTypeAliasDeclaration: 'type',
  ClassDeclaration: 'class',
  FunctionDeclaration: 'function',
  TSDeclareFunction: 'function',
  VariableDeclaration: 'constant',
  TSEnumDeclaration: 'enum',
};

/**
 * The compiler's declaration files of a tree: what they declare, import and export. A declaration is `{id, name, kind, file, source, comments, nodes}`;
 * `nodes` are several for overloaded functions.
 */
export class DeclarationFiles {
  #root;
  #files = new Map();

  constructor(root) {
    this.#root = root;
  }

  /** Exports of a module by name: `{name, typeOnly, declaration}`, or `{name, from}` where another package declares it. */
  exportsOf(path) {
    return [...this.#exportsOf(path)].map(([name, entry]) => ({name, ...entry})).sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  /** Declarations of this tree that one refers to by name. */
  referencesOf({id, file, nodes}) {
    const found = new Map();
    const take = (declaration) => declaration && declaration.id !== id && found.set(declaration.id, declaration);
    const named = (node) => {
      const [first] = entityNames(node);
      if (first) take(this.#named(file, first)?.declaration);
    };
    const visitor = new Visitor({
      TSTypeReference: (node) => named(node.typeName),
      TSTypeQuery: (node) => node.exprName.type !== 'TSImportType' && named(node.exprName),
      TSInterfaceHeritage: (node) => named(node.expression),
      TSClassImplements: (node) => named(node.expression),
      ClassDeclaration: (node) => node.superClass && named(node.superClass),
      TSImportType: (node) => {
        const [first] = node.qualifier ? entityNames(node.qualifier) : [];
        if (first && node.source.value.startsWith('.')) take(this.#exportsOf(targetOf(file, node.source.value)).get(first)?.declaration);
      },
    });
    for (const node of nodes)
      visitor.visit({type: 'Program', body: [node], sourceType: 'module', hashbang: null, start: node.start, end: node.end});
    return [...found.values()];
  }

  /** What a name means in a file: declared there, or imported. */
  #named(path, name) {
    const {declarations, imports} = this.#read(path);
    if (declarations.has(name)) return {declaration: declarations.get(name)};
    const imported = imports.get(name);
    if (!imported) return undefined;
    if (!imported.from.startsWith('.')) return {from: imported.from};
    // `import * as types`: all of a module, which has no declaration of its own.
    return imported.name === undefined ? undefined : this.#exportsOf(targetOf(path, imported.from)).get(imported.name);
  }

  #exportsOf(path) {
    const file = this.#read(path);
    if (file.exports) return file.exports;
    const exports = (file.exports = new Map());
    for (const {name, local, from, typeOnly, all} of file.exported) {
      if (all) {
        if (!from.startsWith('.')) exports.set(`* of ${from}`, {from});
        else for (const [other, entry] of this.#exportsOf(targetOf(path, from))) if (other !== 'default') exports.set(other, entry);
        continue;
      }
      const entry =
        from === undefined ? this.#named(path, local) : from.startsWith('.') ? this.#exportsOf(targetOf(path, from)).get(local) : {from};
      if (!entry) throw new Error(`${path}: exports ${local}, which is not declared${from ? ` in ${from}` : ''}`);
      exports.set(name, {...entry, typeOnly: typeOnly || entry.typeOnly === true});
    }
    return exports;
  }

  #read(path) {
    const known = this.#files.get(path);
    if (known) return known;
    const source = readFileSync(join(this.#root, path), 'utf8');
    const {program, comments, errors} = parseSync(path, source);
    if (errors.length > 0) throw new Error(`${path}: ${errors[0].message}`);
    const file = {declarations: new Map(), imports: new Map(), exported: []};
    this.#files.set(path, file);
    const declare = (node, around) => {
      const kind = declared[node.type];
      if (!kind) return [];
      const names = node.type === 'VariableDeclaration' ? node.declarations.map((each) => each.id.name) : [node.id.name];
      for (const name of names) {
        const before = file.declarations.get(name);
        if (before) before.nodes.push(around);
        else file.declarations.set(name, {id: `${path}#${name}`, name, kind, file: path, source, comments, nodes: [around]});
      }
      return names;
    };
    for (const node of program.body) {
      if (node.type === 'ImportDeclaration') {
        for (const {type, local, imported} of node.specifiers)
          file.imports.set(local.name, {from: node.source.value, name: type === 'ImportSpecifier' ? imported.name : undefined});
      } else if (node.type === 'ExportNamedDeclaration' && node.declaration) {
        for (const name of declare(node.declaration, node))
          if (!file.exported.some((entry) => entry.name === name)) file.exported.push({name, local: name});
      } else if (node.type === 'ExportNamedDeclaration') {
        for (const {local, exported, exportKind} of node.specifiers) {
          const typeOnly = exportKind === 'type' || node.exportKind === 'type';
          file.exported.push({name: exported.name, local: local.name, from: node.source?.value, typeOnly});
        }
      } else if (node.type === 'ExportAllDeclaration') {
        file.exported.push({all: true, from: node.source.value});
      } else declare(node, node);
    }
    return file;
  }
}

/** `a.b.c` as its names. */
function entityNames(node) {
  if (node.type === 'Identifier') return [node.name];
  if (node.type === 'TSQualifiedName') return [...entityNames(node.left), node.right.name];
  if (node.type === 'MemberExpression') return [...entityNames(node.object), node.property.name];
  return [];
}

/** The declaration file behind a relative specifier. */
function targetOf(from, specifier) {
  return posix.join(posix.dirname(from), specifier).replace(/\.js$/, '.d.ts');
}
