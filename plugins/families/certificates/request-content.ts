import type {GeneralName, Pkcs10CertificateRequest} from '@peculiar/x509';
import {pemBlocks} from '../../../sdk/index.js';

const alternativeNamesId = '2.5.29.17';

/** The content of a PKCS #10 request. */
export interface RequestContent {
  /** The last one, because callers are identified by it; empty if there is none. */
  readonly commonName: string;
  readonly organizations: readonly string[];
  readonly names: readonly GeneralName[];
  readonly request: Pkcs10CertificateRequest;
}

/**
 * Reads `spec.request`: PEM in base64.
 *
 * @throws Error if it is malformed or not signed by its own key
 */
export async function readRequest(base64: string): Promise<RequestContent> {
  const [block] = pemBlocks(Buffer.from(base64, 'base64').toString('latin1'));
  if (!block) throw new Error('the request has no PEM block');
  // Loaded for the first request: most servers never receive one.
  const {Pkcs10CertificateRequest: Request, SubjectAlternativeNameExtension} = await import('@peculiar/x509');
  const request = new Request(block.bytes);
  if (!(await request.verify())) throw new Error('the signature of the request is not valid');
  const parts = request.subjectName.toJSON();
  const valuesOf = (attribute: string) => parts.flatMap((part) => (Object.hasOwn(part, attribute) ? part[attribute]! : []));
  return {
    request,
    commonName: valuesOf('CN').at(-1) ?? '',
    organizations: valuesOf('O'),
    names: request.getExtensions(alternativeNamesId).flatMap(({rawData}) => [...new SubjectAlternativeNameExtension(rawData).names.items]),
  };
}
