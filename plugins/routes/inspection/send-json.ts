import type {ServerResponse} from 'node:http';

/** Answers a document, which is of this moment and for this user. */
export function sendJson(response: ServerResponse, document: object): void {
  const body = `${JSON.stringify(document)}\n`;
  response.writeHead(200, {
    'Cache-Control': 'no-store',
    'Content-Type': 'application/json',
    'Content-Length': Buffer.byteLength(body),
    'X-Content-Type-Options': 'nosniff',
  });
  response.end(body);
}
