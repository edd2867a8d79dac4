const floats = {25: 'f16', 26: 'f32', 27: 'f64'} as const;

/**
 * Items as JSON that shows how they are written: bytes as they are, `text:…`, `f16:…` for the bits of floats, `{"tag 22": …}`. Members are in
 * alphabetical order, since Kubernetes sends them in any.
 */
export function diagnose(bytes: Buffer): unknown[] {
  const items: unknown[] = [];
  for (let at = 0; at < bytes.length;) {
    const {value, end} = itemAt(bytes, at);
    items.push(value);
    at = end;
  }
  return items;
}

function itemAt(bytes: Buffer, start: number): {value: unknown; end: number} {
  const type = bytes[start]! >> 5;
  const low = bytes[start]! & 31;
  if (low > 27) throw new Error('an answer has an item of no definite length');
  const length = low < 24 ? 0 : 1 << (low - 24);
  const argument = length === 0 ? low : Number(BigInt(`0x${bytes.toString('hex', start + 1, start + 1 + length)}`));
  let end = start + 1 + length;
  const next = () => {
    const found = itemAt(bytes, end);
    end = found.end;
    return found.value;
  };
  const text = () => bytes.toString('utf8', end, (end += argument));
  switch (type) {
    case 0:
      return {value: argument, end};
    case 1:
      return {value: -1 - argument, end};
    case 2: {
      const value = text();
      return {value, end};
    }
    case 3: {
      const value = `text:${text()}`;
      return {value, end};
    }
    case 4: {
      const value = Array.from({length: argument}, next);
      return {value, end};
    }
    case 5: {
      const members = Array.from({length: argument}, () => [String(next()), next()] as const);
      return {value: Object.fromEntries(members.toSorted(([one], [other]) => (one < other ? -1 : 1))), end};
    }
    case 6: {
      const value = {[`tag ${argument}`]: next()};
      return {value, end};
    }
    default:
      if (low in floats) return {value: `${floats[low as keyof typeof floats]}:${argument.toString(16)}`, end};
      return {value: low === 20 ? false : low === 21 ? true : low === 22 ? null : `simple:${argument}`, end};
  }
}
