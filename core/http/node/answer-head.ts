import type {IncomingMessage, ServerResponse} from 'node:http';
import process from 'node:process';
import {expect, type Hook} from './hook.js';

type WriteHead = (this: ServerResponse, ...parameters: unknown[]) => unknown;

const chained = Symbol('chained');

/** Lets `writeHead` answer the response, as Node's does and plugins expect: restify has put one in its place that answers nothing. */
export function chainWriteHead(prototype: ServerResponse & {[chained]?: true}): void {
  if (prototype[chained]) return;
  const writeHead = prototype.writeHead as WriteHead;
  prototype.writeHead = function chainedWriteHead(this: ServerResponse, ...parameters: unknown[]) {
    writeHead.apply(this, parameters);
    return this;
  };
  prototype[chained] = true;
}

/** Calls back with the status when a response begins, with or without `writeHead`; also for watches and plugins. */
export function whenHeadIsWritten(response: ServerResponse, written: (code: number) => void): void {
  const writeHead = response.writeHead as WriteHead;
  response.writeHead = ((code: number, ...rest: unknown[]) => {
    written(code);
    return writeHead.call(response, code, ...rest);
  }) as typeof response.writeHead;
}

export const answerHeadHook: Hook = {
  name: 'answer-head',
  claim: 'the head of each answer is written by writeHead, which returns the answer',
  probe() {
    const {ServerResponse: NodeResponse} = process.getBuiltinModule('node:http');
    const answer = () => new NodeResponse({method: 'GET', httpVersionMajor: 1, httpVersionMinor: 1} as IncomingMessage);
    const explicit = answer();
    expect(explicit.writeHead(404) === explicit, 'writeHead does not return the answer');
    const implied = answer();
    const codes: number[] = [];
    whenHeadIsWritten(implied, (code) => codes.push(code));
    implied.statusCode = 204;
    implied.end();
    expect(codes.join() === '204', `an answer without writeHead was seen ${codes.length} times`);
  },
};
