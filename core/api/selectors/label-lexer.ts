import {badRequest} from '../../../sdk/index.js';

/** Maximum number of words and symbols of a selector, because the cost of processing it depends on them. */
export const maximumTokens = 50_000;

/** A token of a label selector. `kind` is the symbol itself, or the kind of token. */
export interface LabelToken {
  readonly kind: 'word' | 'end' | '=' | '==' | '!=' | '!' | '>' | '<' | '(' | ')' | ',';
  readonly text: string;
}

const symbols = new Set<string>(['=', '==', '!=', '!', '>', '<', '(', ')', ',']);
const isSymbol = (character: string) => '=!(),><'.includes(character);
const isBlank = (character: string) => character === ' ' || character === '\t' || character === '\r' || character === '\n';

/**
 * Splits a selector into tokens. The longest symbol is taken (`==` before `=`); words end at symbols and blanks.
 *
 * @throws StatusError 400 for too many words and symbols
 */
export function labelTokens(text: string): LabelToken[] {
  const tokens: LabelToken[] = [];
  let offset = 0;
  while (offset < text.length) {
    const start = text[offset]!;
    if (isBlank(start)) {
      offset++;
      continue;
    }
    const end = isSymbol(start) ? endOfSymbol(text, offset) : endOfWord(text, offset);
    const part = text.slice(offset, end);
    tokens.push({kind: isSymbol(start) ? (part as LabelToken['kind']) : 'word', text: part});
    if (tokens.length > maximumTokens) throw badRequest(`the label selector has more than ${maximumTokens} words and symbols`);
    offset = end;
  }
  tokens.push({kind: 'end', text: ''});
  return tokens;
}

// Each first character is a symbol by itself.
function endOfSymbol(text: string, start: number): number {
  let end = start + 1;
  while (end < text.length && symbols.has(text.slice(start, end + 1))) end++;
  return end;
}

function endOfWord(text: string, start: number): number {
  let end = start;
  while (end < text.length && !isSymbol(text[end]!) && !isBlank(text[end]!)) end++;
  return end;
}
