// The reference in docs/reference: a page for each module, made from the declarations that the compiler has written and the docstrings in them.
import {shownDeclaration} from './shown-declaration.mjs';

export const referenceFolder = 'docs/reference';
const head = (name) => `# ${name}\n\n<!-- Made from the docstrings; scripts/check-sdk-surface.mjs --update writes it. -->\n`;
const kinds = ['function', 'class', 'constant', 'enum', 'interface', 'type'];
const titles = {function: 'Functions', class: 'Classes', constant: 'Constants', enum: 'Enums', interface: 'Interfaces', type: 'Types'};

const fileOf = (module) => `${module.replace(/^@orch-api\/orch\//, '').replaceAll('/', '-')}.md`;
/** What headings become on the sites that show Markdown. */
const anchorOf = (name) =>
  name
    .toLowerCase()
    .replaceAll(/[^\w -]/g, '')
    .replaceAll(' ', '-');

/**
 * @param sections `{name, exports}` for each module
 * @param shown declaration → the module under which it is shown
 * @param isGenerated whether a file was made from schemas, which have documents of their own
 * @returns path → text
 */
export function referencePages(sections, shown, isGenerated) {
  const pages = new Map();
  const index = [];
  for (const {name, exports} of sections) {
    const own = exports.filter(({declaration}) => declaration && shown.get(declaration.id) === name && !isGenerated(declaration.file));
    const elsewhere = exports.filter(({declaration}) => declaration && shown.get(declaration.id) !== name);
    const parts = [head(name)];
    for (const kind of kinds) {
      const entries = own.filter(({declaration}) => declaration.kind === kind);
      if (entries.length > 0) parts.push(`## ${titles[kind]}\n`, ...entries.map(entryText));
    }
    if (elsewhere.length > 0)
      parts.push('## As in other modules\n', `${elsewhere.map((entry) => elsewhereText(entry, shown)).join(', ')}\n`);
    pages.set(`${referenceFolder}/${fileOf(name)}`, parts.join('\n'));
    index.push(`- [\`${name}\`](${fileOf(name)}): ${own.length} declarations`);
  }
  const list = `${index.join('\n')}\n`;
  const rest =
    'Types of built-in kinds are in `@orch-api/orch/types/GROUP/VERSION`; their fields are those of the [documents](../api) of each group version.\n';
  pages.set(`${referenceFolder}/README.md`, `${head('Reference')}\n${list}\n${rest}`);
  return pages;
}

function elsewhereText({name, declaration}, shown) {
  return `[\`${name}\`](${fileOf(shown.get(declaration.id))}#${anchorOf(declaration.name)})`;
}

function entryText({name, typeOnly, declaration}) {
  const prose = docText(docComment(declaration));
  const note = typeOnly && declaration.kind === 'class' ? 'Only its type is exported.\n\n' : '';
  const renamed = declaration.name === name ? '' : `Declared as \`${declaration.name}\`.\n\n`;
  return `### ${name}\n\n${prose === '' ? '' : `${prose}\n\n`}${note}${renamed}\`\`\`ts\n${shownDeclaration(declaration, {comments: true})}\n\`\`\`\n`;
}

/** The text of the docstring before the first of a declaration's nodes. */
function docComment({source, comments, nodes}) {
  const [{start}] = nodes;
  const last = comments.findLast((comment) => comment.end <= start);
  if (!last || last.type !== 'Block' || !last.value.startsWith('*') || source.slice(last.end, start).trim() !== '') return '';
  return last.value
    .slice(1)
    .split('\n')
    .map((line) => line.replace(/^\s*\* ?/, ''))
    .join('\n')
    .trim();
}

const tagTitles = {throws: 'Throws', returns: 'Returns', deprecated: 'Deprecated', see: 'See'};

/** A docstring as Markdown. */
function docText(comment) {
  const [text = '', ...tags] = comment.split(/^(?=@\w+)/m);
  const parts = [text.replaceAll(/ @throws /g, '\n\n**Throws** ').trim()];
  const parameters = [];
  for (const tag of tags) {
    const [, name, value] = /^@(\w+)\s*([^]*)$/.exec(tag);
    const body = value.trim();
    if (name === 'param') parameters.push(`- \`${body.split(/\s/, 1)[0]}\`: ${oneLine(body.replace(/^\S+\s*(?:- )?/, ''))}`);
    else if (name === 'example') parts.push(`\`\`\`ts\n${body}\n\`\`\``);
    else parts.push(`**${tagTitles[name] ?? name}** ${oneLine(body)}`);
  }
  if (parameters.length > 0) parts.splice(1, 0, parameters.join('\n'));
  return parts.filter((part) => part !== '').join('\n\n');
}

const oneLine = (text) => text.replaceAll(/\s*\n\s*/g, ' ');
