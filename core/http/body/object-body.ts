import type {ApiObject} from '../../../sdk/index.js';
import type {ResourceTypeVersion} from '../../api/types/resource-type.js';
import {decodeObject} from '../../registry/decode-object.js';
import type {WriteContext} from '../../registry/write-context.js';
import type {Exchange} from '../exchange.js';
import {readBody} from '../read-body.js';
import {decodeBody} from './decode-body.js';
import {requireContentType} from '../../api/negotiation/content-type.js';

const mediaTypes = ['application/json', 'application/yaml', 'application/x-yaml', 'text/yaml'];

/**
 * Reads an object from the body of a create or update.
 *
 * @returns a function that makes the object; each call makes one of its own, for writes that are tried again
 * @throws 400 for a body that is no object of the type, 413, 415
 */
export async function readObject(exchange: Exchange, version: ResourceTypeVersion, context: WriteContext): Promise<() => ApiObject> {
  const mediaType = requireContentType(exchange.header('content-type'), mediaTypes).essence;
  const bytes = await readBody(exchange);
  const decode = () => decodeObject(decodeBody(bytes, mediaType, context), {kind: version.kind, schema: version.schema}, context);
  let first: ApiObject | undefined = decode();
  return () => {
    const object = first ?? decode();
    first = undefined;
    return object;
  };
}
