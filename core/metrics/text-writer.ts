const partBytes = 256 * 1024;
/** More than any number needs. */
const numberBytes = 32;
const zero = 48;
const newline = 10;

/** Writes lines into buffers that are added as needed: far cheaper than one string made of many short ones, converted to bytes. */
export class TextWriter {
  readonly #full: Buffer[] = [];
  #part = Buffer.allocUnsafe(partBytes);
  #length = 0;

  text(text: string): void {
    this.#reserve(Buffer.byteLength(text));
    this.#length += this.#part.write(text, this.#length);
  }

  /** A line: the text before a value, which is a part of `heads`, and the value. */
  line(heads: Buffer, start: number, end: number, value: number): void {
    this.#reserve(end - start + numberBytes);
    this.#length += heads.copy(this.#part, this.#length, start, end);
    if (Number.isInteger(value) && value >= 0 && value < 2 ** 31) this.#digits(value);
    else this.#length += this.#part.write(numberText(value), this.#length);
    this.#part[this.#length++] = newline;
  }

  bytes(bytes: Buffer): void {
    this.#reserve(bytes.length);
    this.#length += bytes.copy(this.#part, this.#length);
  }

  /** All that was written. Nothing may be written afterwards. */
  parts(): readonly Buffer[] {
    return [...this.#full, this.#part.subarray(0, this.#length)];
  }

  #digits(value: number): void {
    let width = 1;
    for (let power = 10; power <= value; power *= 10) width += 1;
    let rest = value;
    for (let place = this.#length + width - 1; place >= this.#length; place -= 1) {
      const next = Math.trunc(rest / 10);
      this.#part[place] = zero + rest - next * 10;
      rest = next;
    }
    this.#length += width;
  }

  #reserve(bytes: number): void {
    if (this.#length + bytes <= this.#part.length) return;
    if (this.#length > 0) this.#full.push(this.#part.subarray(0, this.#length));
    this.#part = Buffer.allocUnsafe(Math.max(partBytes, bytes));
    this.#length = 0;
  }
}

function numberText(value: number): string {
  if (value === Infinity) return '+Inf';
  if (value === -Infinity) return '-Inf';
  return String(value);
}
