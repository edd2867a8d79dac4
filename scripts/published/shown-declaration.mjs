import {Visitor} from 'oxc-parser';

/** A declaration's text without `export declare`, comments and private members. */
export function shownDeclaration({source, comments, nodes}) {
  return nodes.map((node) => textOf(node, source, comments)).join('\n');
}

function textOf(node, source, comments) {
  const left = [...comments.filter(({start, end}) => start >= node.start && end <= node.end)];
  new Visitor({
    ClassBody({body}) {
      left.push(
        ...body.filter(
          (member) => (member.accessibility === 'private' && member.kind !== 'constructor') || member.key?.type === 'PrivateIdentifier',
        ),
      );
    },
  }).visit({type: 'Program', body: [node], sourceType: 'module', hashbang: null, start: node.start, end: node.end});
  left.sort((a, b) => a.start - b.start);
  let text = '';
  let at = node.start;
  for (const {start, end} of left) {
    if (start < at) continue;
    text += source.slice(at, start);
    at = end;
  }
  text += source.slice(at, node.end);
  return text
    .replace(/^export /, '')
    .replace(/^declare /, '')
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => line.replace(/^(?: {4})+/, (indent) => '  '.repeat(indent.length / 4)))
    .join('\n');
}
