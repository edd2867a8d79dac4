import {StatusError} from '../../../sdk/index.js';

/** Where in a text a fault is; both count from 1. */
export interface TextPosition {
  readonly line: number;
  readonly column: number;
}

/** 400: a body that cannot be read as what it claims to be. The message says where, when there is such a place. */
export class DecodeError extends StatusError {
  /**
   * @param format name of the body's format in the message: `JSON` or `YAML`
   */
  constructor(
    format: 'JSON' | 'YAML',
    problem: string,
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
