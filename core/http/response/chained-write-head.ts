import type {ServerResponse} from 'node:http';

const chained = Symbol('chained');

/** Lets `writeHead` answer the response, as Node's does and plugins expect: restify has put one in its place that answers nothing. */
export function chainWriteHead(prototype: ServerResponse & {[chained]?: true}): void {
  if (prototype[chained]) return;
  const writeHead = prototype.writeHead as (...parameters: unknown[]) => unknown;
  prototype.writeHead = function chainedWriteHead(this: ServerResponse, ...parameters: unknown[]) {
    writeHead.apply(this, parameters);
    return this;
  };
  prototype[chained] = true;
}
