import {StatusError} from '../../../sdk/index.js';

/** 406: not even the kind of media type fits; where it does, it is `notAcceptable`. @param supported media types */
export function noRepresentation(supported: readonly string[]): StatusError {
  const message = `406: Not Acceptable\n\nAvailable representations: ${supported.join(', ')}`;
  return new StatusError(406, 'NotAcceptable', message, {details: {}});
}

/** Whether a request has no route because of the media types of its body or answer: what is said of a type belongs to its routes. */
export function hasNoRoute({message}: StatusError): boolean {
  return message.startsWith('406: ') || message.startsWith('415: ');
}

/** 405: nothing that is built in answers this method at the path. For custom resources, Kubernetes names them: `methodNotAllowed`. */
export function methodNotServed(): StatusError {
  return new StatusError(405, 'MethodNotAllowed', 'the server does not allow this method on the requested resource', {details: {}});
}
