import {Visitor} from 'oxc-parser';

/** A declaration's text without `export declare`, private members and, unless they are asked for, comments. */
export function shownDeclaration({source, comments, nodes}, {comments: withComments = false} = {}) {
  return nodes.map((node) => textOf(node, source, comments, withComments)).join('\n');
}

function textOf(node, source, comments, withComments) {
  const inside = comments.filter(({start, end}) => start >= node.start && end <= node.end);
  const left = withComments ? [] : [...inside];
  new Visitor({
    ClassBody({body}) {
      left.push(
        ...body
          .filter(
            (member) => (member.accessibility === 'private' && member.kind !== 'constructor') || member.key?.type === 'PrivateIdentifier',
          )
          .map(({start, end}) => ({start: withComments ? startWithComment(start, source, inside) : start, end})),
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
    .replaceAll(/^ +(?= \*)/gm, (indent) => '  '.repeat(Math.floor(indent.length / 4)))
    .replace(/^export /, '')
    .replace(/^declare /, '')
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => line.replace(/^(?: {4})+/, (indent) => '  '.repeat(indent.length / 4)))
    .join('\n');
}

/** Where the docstring before a member begins, or the member itself. */
function startWithComment(start, source, comments) {
  const before = comments.findLast(({end}) => end <= start);
  return before && source.slice(before.end, start).trim() === '' ? before.start : start;
}
