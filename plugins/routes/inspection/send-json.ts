import type {ServerResponse} from 'node:http';
import {jsonText} from '../../../sdk/index.js';

/** Answers a document, which is of this moment and for this user. */
export function sendJson(response: ServerResponse, document: object): void {
  const body = `${jsonText(document)}\n`;
  response.writeHead(200, {
    'Cache-Control': 'no-store',
    'Content-Type': 'application/json',
    'Content-Length': Buffer.byteLength(body),
    'X-Content-Type-Options': 'nosniff',
  });
  response.end(body);
}
