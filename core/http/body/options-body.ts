import {decodeBody} from './decode-body.js';
import {requireContentType} from '../../api/negotiation/content-type.js';
import type {Exchange} from '../exchange.js';
import {readBody} from '../read-body.js';

const mediaTypes = ['application/json', 'application/yaml', 'application/x-yaml', 'text/yaml'];

/** Reads the optional body of a deletion. Undefined when there is none. */
export async function readOptionsBody(exchange: Exchange): Promise<unknown> {
  const bytes = await readBody(exchange);
  if (bytes.length === 0) return undefined;
  const mediaType = requireContentType(exchange.header('content-type'), mediaTypes).essence;
  return decodeBody(bytes, mediaType, {fieldValidation: 'Ignore'}).value;
}
