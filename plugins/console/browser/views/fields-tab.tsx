import {mostLines, ownedLines} from '../api/field-owners.js';
import type {ApiObject} from '../api/types.js';
import {ageText, now} from '../parts/age.js';
import {Scroll} from '../parts/scroll.js';

/** Colours of managers, as the styles have them; after that they begin again. */
const colours = 8;

/** Who owns each field, as colours with a legend: the letter says the same as the colour. */
export function FieldsTab({object}: {readonly object: ApiObject}) {
  const {lines, managers} = ownedLines(object);
  const letter = (index: number) => String.fromCharCode(65 + (index % 26)) + (index >= 26 ? String(Math.floor(index / 26)) : '');
  return (
    <Scroll label="Managed fields of the object">
      <h2>Managers</h2>
      {managers.length === 0 && <p>Nobody is recorded for any field.</p>}
      <table class="plain">
        {managers.length > 0 && (
          <thead>
            <tr>
              <th scope="col">Mark</th>
              <th scope="col">Manager</th>
              <th scope="col">Operation</th>
              <th scope="col">Subresource</th>
              <th scope="col">Last</th>
            </tr>
          </thead>
        )}
        <tbody>
          {managers.map(({manager, operation, subresource = '', time = ''}, index) => (
            <tr>
              <td>
                <span class={`mark owner-${index % colours}`}>{letter(index)}</span>
              </td>
              <th scope="row">{manager}</th>
              <td>{operation}</td>
              <td>{subresource}</td>
              <td title={time}>{ageText(Date.parse(time), now.value)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <h2>Fields</h2>
      <div class="owned" role="list" aria-label="Fields with their managers">
        {lines.map(({indent, text, owners}) => (
          <div role="listitem">
            <span class="marks">
              {owners.map((owner) => (
                <span class={`mark owner-${owner % colours}`} title={managers[owner]?.manager}>
                  {letter(owner)}
                </span>
              ))}
            </span>
            <code style={{paddingLeft: `${indent * 16}px`}}>{text}</code>
          </div>
        ))}
      </div>
      {lines.length === mostLines && <p class="hint">The rest of the object is not shown.</p>}
    </Scroll>
  );
}
