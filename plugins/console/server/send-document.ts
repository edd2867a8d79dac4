import type {ServerResponse} from 'node:http';
import {noStore, securityHeaders} from './security-headers.js';

/** Answers a document that is of this moment and for this user. */
export function sendDocument(response: ServerResponse, code: number, document: object): void {
  const body = `${JSON.stringify(document)}\n`;
  response.writeHead(code, {...securityHeaders, ...noStore, 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body)});
  response.end(body);
}
