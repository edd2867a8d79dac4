import {messageLimits} from '../../../sdk/errors/message-limits.js';
import {shownValue, type JsonValue} from '../../../sdk/index.js';
import {quotedText} from './quoted-text.js';

const longest = messageLimits.value;
/** Deeper values are not shown. */
const deepest = 100;

/** A value as a message of Kubernetes shows it that prints it as in a program. However large the value is, only the part that is shown is read. */
export function shownSyntax(value: JsonValue): string {
  if (value === null) return '"null"';
  if (typeof value !== 'object') return shownValue(value);
  const writer = new SyntaxWriter();
  writer.write(value, 0);
  return writer.text;
}

class SyntaxWriter {
  text = '';

  write(value: JsonValue, depth: number): void {
    if (value === null) this.text += 'interface {}(nil)';
    else if (typeof value === 'string') this.text += quotedText(value.length > longest ? `${value.slice(0, longest)}…` : value);
    else if (typeof value !== 'object') this.text += shownValue(value);
    else if (depth > deepest) this.text += '…';
    else if (Array.isArray(value)) this.#parts('[]interface {}', value, (item) => this.write(item ?? null, depth + 1));
    else
      this.#parts('map[string]interface {}', Object.keys(value).sort(), (name) => {
        this.text += `${quotedText(name.slice(0, longest))}:`;
        this.write(value[name] ?? null, depth + 1);
      });
  }

  #parts<T>(type: string, parts: readonly T[], write: (part: T) => void): void {
    this.text += `${type}{`;
    for (const [index, part] of parts.entries()) {
      if (index > 0) this.text += ', ';
      if (this.text.length > longest) {
        this.text += '…';
        break;
      }
      write(part);
    }
    this.text += '}';
  }
}
