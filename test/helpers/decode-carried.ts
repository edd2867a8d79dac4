import {readCarried} from '../../core/api/protobuf/envelope.js';
import {atOnce} from '../../sdk/index.js';

/** The object in an envelope, read in one go. */
export function decodeCarried(...given: Parameters<typeof readCarried>) {
  return atOnce(readCarried(...given));
}
