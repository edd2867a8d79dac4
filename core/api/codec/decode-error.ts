import {StatusError} from '../../../sdk/index.js';

/** The position of an error in a text; both numbers start at 1. */
export interface TextPosition {
  readonly line: number;
  readonly column: number;
}

/** 400: a body that is malformed for its declared format. The message includes the position if there is one. */
export class DecodeError extends StatusError {
  /** @param format the body's format as named in the message: `JSON` or `YAML` */
  constructor(
    readonly format: 'JSON' | 'YAML',
    readonly problem: string,
    readonly position?: TextPosition,
  ) {
    const place = position === undefined ? '' : ` at line ${position.line} column ${position.column}`;
    super(400, 'BadRequest', `couldn't decode ${format} body: ${problem}${place}`);
  }
}

/** Line and column of an offset in a text. */
export function positionAt(text: string, offset: number): TextPosition {
  let line = 1;
  let start = 0;
  for (let next = text.indexOf('\n'); next !== -1 && next < offset; next = text.indexOf('\n', start)) {
    line++;
    start = next + 1;
  }
  return {line, column: offset - start + 1};
}
