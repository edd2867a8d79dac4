import type {RequestReport, Verdict} from '../api/inspection.js';
import {durationText} from '../api/duration-text.js';

const good = new Set(['allowed', 'warned', 'audited', 'ignored']);
const whos = {controller: 'Controller', webhook: 'Webhook', policy: 'Policy'} as const;

/** What the filters and the admission chain said for a request, in order, and how long it took. */
export function ReportDetails({report}: {readonly report: RequestReport}) {
  const {method, path, user = 'nobody known', impersonator, verb, code, reason = '', message, time, seconds, flow, authorization} = report;
  const rows: readonly (readonly [string, string])[] = [
    ['When', time],
    ['User', impersonator === undefined ? user : `${user}, by ${impersonator}`],
    ['Verb', verb],
    ['Answer', `${code === 0 ? 'none' : code} ${reason}`],
    ['Took', durationText(seconds)],
    ['Priority', flow ? `${flow.level}, by the flow schema ${flow.schema}, waited ${durationText(flow.waitedSeconds)}` : 'not asked'],
    [
      'Authorization',
      authorization
        ? `${authorization.allowed ? 'allowed' : 'refused'}${authorization.reason ? `: ${authorization.reason}` : ''}`
        : 'not asked',
    ],
  ];
  return (
    <section>
      <h2>
        {method} <code>{path}</code>
      </h2>
      {message !== undefined && <p class="notice bad">{message}</p>}
      <table class="plain facts">
        <tbody>
          {rows.map(([name, value]) => (
            <tr>
              <th scope="row">{name}</th>
              <td>{value}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <h2>Admission</h2>
      {report.verdicts.length === 0 ? <p>It was not asked.</p> : <VerdictTable verdicts={report.verdicts} />}
      {report.warnings.map((text) => (
        <p class="notice">{text}</p>
      ))}
      <h2>Steps</h2>
      <table class="plain facts">
        <tbody>
          {report.steps.map(({name, seconds: took}) => (
            <tr>
              <th scope="row">{name}</th>
              <td>{durationText(took)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {report.leftOut > 0 && <p class="hint">{report.leftOut} more are left out.</p>}
    </section>
  );
}

function VerdictTable({verdicts}: {readonly verdicts: readonly Verdict[]}) {
  return (
    <table class="plain verdicts">
      <thead>
        <tr>
          <th scope="col">Who</th>
          <th scope="col">When</th>
          <th scope="col">Said</th>
          <th scope="col">Took</th>
          <th scope="col">Why</th>
        </tr>
      </thead>
      <tbody>
        {verdicts.map(({by, name, from, half, verdict, seconds, message = ''}) => (
          <tr>
            <th scope="row">
              <small>{whos[by]}</small> {name} {from !== undefined && <small>of {from}</small>}
            </th>
            <td>{half === 'admit' ? 'to change' : 'to judge'}</td>
            <td class={good.has(verdict) ? 'good' : 'bad'}>{verdict}</td>
            <td>{durationText(seconds)}</td>
            <td>{message}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
