import type {ServerResponse} from 'node:http';
import {badRequest, inject, route, Tokens, type AuditEvents, type Route, type RouteRequest, type ServerFacts} from '../../../sdk/index.js';
import {AuditTail} from './audit-tail.js';
import {valueOf} from './object-query.js';
import {sendJson} from './send-json.js';

/** The newest events of the audit log, for who may get the path: everybody's requests are in them. */
@route()
export class RecentAuditEvents implements Route {
  readonly #tail = new AuditTail();
  readonly #facts: ServerFacts;

  constructor(@inject(Tokens.AuditEvents) events: AuditEvents, @inject(Tokens.ServerFacts) facts: ServerFacts) {
    this.#facts = facts;
    events.listen((event) => this.#tail.add(event));
  }

  handle({query}: RouteRequest, response: ServerResponse): void {
    const text = valueOf(query, 'after') || '0';
    if (!/^\d{1,15}$/.test(text)) throw badRequest('the parameter after has to be the number of an event');
    sendJson(response, {recording: this.#facts.isAuditing(), ...this.#tail.after(Number(text))});
  }
}
