import {jsonText, type ApiObject} from '../../../../sdk/index.js';

/**
 * Maximum JSON length of the objects in one review, in UTF-16 units; a single object may be larger. The answer is about as long, and must be within the
 * bounds of answers: as few as seven characters may be a value.
 */
const maximumLength = 1024 * 1024;

/** The objects of one review and their JSON. */
export interface ObjectBatch {
  readonly originals: readonly ApiObject[];
  readonly texts: readonly string[];
}

/** Splits objects into batches that are not too large for a review, keeping their order. */
export function* objectBatches(objects: readonly ApiObject[]): Generator<ObjectBatch> {
  let start = 0;
  let texts: string[] = [];
  let length = 0;
  for (const [position, object] of objects.entries()) {
    const text = jsonText(object);
    if (texts.length > 0 && length + text.length > maximumLength) {
      yield {originals: objects.slice(start, position), texts};
      [start, texts, length] = [position, [], 0];
    }
    texts.push(text);
    length += text.length;
  }
  if (texts.length > 0) yield {originals: objects.slice(start), texts};
}
