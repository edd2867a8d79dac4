/** A text in quotes as Go's `%q` has it. */
export function quotedText(text: string): string {
  return `"${text.replaceAll(/["\\]|[\u0000-\u001f\u007f]|\p{Cs}/gu, (character) => {
    const short = shortEscapes[character];
    if (short !== undefined) return short;
    const code = character.charCodeAt(0);
    return code < 0x80 ? String.raw`\x` + code.toString(16).padStart(2, '0') : String.raw`\u` + code.toString(16);
  })}"`;
}

const shortEscapes: Readonly<Record<string, string>> = {
  '"': String.raw`\"`,
  '\\': String.raw`\\`,
  '\u0007': String.raw`\a`,
  '\b': String.raw`\b`,
  '\f': String.raw`\f`,
  '\n': String.raw`\n`,
  '\r': String.raw`\r`,
  '\t': String.raw`\t`,
  '\v': String.raw`\v`,
};
