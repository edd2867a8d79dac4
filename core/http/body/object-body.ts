import type {ApiObject, NamingProfile} from '../../../sdk/index.js';
import {requireContentType} from '../../api/negotiation/content-type.js';
import {decodeObject, type DecodeTarget} from '../../registry/write/decode-object.js';
import type {WriteContext} from '../../registry/write/write-context.js';
import type {Exchange} from '../exchange.js';
import {readBody} from '../read-body.js';
import {bodyMediaTypes, decodeBody} from './decode-body.js';

/**
 * Reads an object from the body of a create or update.
 *
 * @returns a function that makes the object; each call makes one of its own, for writes that are tried again. It throws 400 for a
 *   body that is no object of the type
 * @throws 413, 415
 */
export async function readObject(
  exchange: Exchange,
  target: DecodeTarget,
  naming: NamingProfile,
  context: WriteContext,
): Promise<() => ApiObject> {
  const {schema} = target;
  const mediaType = requireContentType(exchange.header('content-type'), bodyMediaTypes(naming, schema.node.kubernetesSemantics)).essence;
  const bytes = await readBody(exchange);
  return () => decodeObject(decodeBody(bytes, mediaType, target, context), target, context);
}
