/** Something that is written in a form of its own: `Pairs` as an object whose members may repeat, `Hex` as it is, `Text` as a text and not as bytes. */
export class Pairs {
  constructor(readonly members: readonly (readonly [unknown, unknown])[]) {}
}
export class Hex {
  constructor(readonly hex: string) {}
}
export class Text {
  constructor(readonly text: string) {}
}
export class Tagged {
  constructor(
    readonly tag: number,
    readonly value: unknown,
  ) {}
}

function head(type: number, argument: number): Buffer {
  if (argument < 24) return Buffer.from([(type << 5) | argument]);
  if (argument < 256) return Buffer.from([(type << 5) | 24, argument]);
  const bytes = Buffer.alloc(argument < 65_536 ? 3 : 5);
  bytes[0] = (type << 5) | (argument < 65_536 ? 25 : 26);
  if (argument < 65_536) bytes.writeUInt16BE(argument, 1);
  else bytes.writeUInt32BE(argument, 1);
  return bytes;
}

/** An item as clients of Kubernetes send it, with texts as bytes: an encoder of its own, so that the one of the server is not measured by itself. */
export function item(value: unknown): Buffer {
  switch (typeof value) {
    case 'string':
      return Buffer.concat([head(2, Buffer.byteLength(value)), Buffer.from(value)]);
    case 'boolean':
      return Buffer.from([value ? 0xf5 : 0xf4]);
    case 'number':
      return value < 0 ? head(1, -1 - value) : head(0, value);
    default:
  }
  if (value === null) return Buffer.from([0xf6]);
  if (value instanceof Hex) return Buffer.from(value.hex, 'hex');
  if (value instanceof Text) return Buffer.concat([head(3, Buffer.byteLength(value.text)), Buffer.from(value.text)]);
  if (value instanceof Tagged) return Buffer.concat([head(6, value.tag), item(value.value)]);
  if (Array.isArray(value)) return Buffer.concat([head(4, value.length), ...value.map(item)]);
  const members = value instanceof Pairs ? value.members : Object.entries(value as object);
  return Buffer.concat([head(5, members.length), ...members.flatMap(([name, member]) => [item(name), item(member)])]);
}
