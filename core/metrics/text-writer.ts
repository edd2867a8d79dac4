const firstBytes = 256 * 1024;
/** Upper bound for the text of a number. */
const numberBytes = 32;
const zero = 48;
const newline = 10;

/** Writes lines into a buffer: far cheaper than concatenating strings and encoding the result. */
export class TextWriter {
  #bytes = Buffer.allocUnsafeSlow(firstBytes);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  /** Writes a line: a part of `heads`, and the value. */
  line(heads: Buffer, start: number, end: number, value: number): void {
    this.#reserve(end - start + numberBytes);
    this.#length += heads.copy(this.#bytes, this.#length, start, end);
    if (Number.isInteger(value) && value >= 0 && value < 2 ** 31) this.#digits(value);
    else this.#length += this.#bytes.write(numberText(value), this.#length);
    this.#bytes[this.#length++] = newline;
  }

  copy(bytes: Buffer, start: number, end: number): void {
    this.#reserve(end - start);
    this.#length += bytes.copy(this.#bytes, this.#length, start, end);
  }

  /** Begins a new text. */
  reset(): void {
    this.#length = 0;
  }

  /** A copy of the text. */
  take(): Buffer {
    return Buffer.from(this.#bytes.subarray(0, this.#length));
  }

  #digits(value: number): void {
    let width = 1;
    for (let power = 10; power <= value; power *= 10) width += 1;
    let rest = value;
    for (let place = this.#length + width - 1; place >= this.#length; place -= 1) {
      const next = Math.trunc(rest / 10);
      this.#bytes[place] = zero + rest - next * 10;
      rest = next;
    }
    this.#length += width;
  }

  #reserve(bytes: number): void {
    if (this.#length + bytes <= this.#bytes.length) return;
    const larger = Buffer.allocUnsafeSlow(2 * (this.#length + bytes));
    this.#bytes.copy(larger, 0, 0, this.#length);
    this.#bytes = larger;
  }
}

function numberText(value: number): string {
  if (value === Infinity) return '+Inf';
  if (value === -Infinity) return '-Inf';
  return String(value);
}
