import process from 'node:process';
import {enableCompileCache} from '../../caches/compile-cache.js';
import type {CheckRequest} from './check-process.js';
import {startProblems} from './start-problems.js';

// The process of one check (check-process.ts).

enableCompileCache();
process.once('message', (request: CheckRequest) => {
  void startProblems(request.args, request.cwd, request).then((problems) => {
    // Exceptions cannot be sent.
    process.send?.(problems.map(({cause: _, ...fault}) => fault));
  });
});
