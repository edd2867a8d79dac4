import {dns1035LabelFaults, dnsLabelFaults, dnsSubdomainFaults, labelValueFaults, qualifiedNameFaults} from '../../../../sdk/index.js';
import {formatCheck} from '../../schema/formats/string-formats.js';
import {listOf, optionalOf, stringType, structOf} from '../types/cel-type.js';
import {OpaqueValue} from '../values/opaque.js';
import {OptionalValue} from '../values/optional.js';
import {meter} from '../cost-meter.js';
import {parseUrl, UrlFault} from './go-url.js';
import {quotedText} from '../../json/quoted-text.js';
import {form, functionsOf, method, type Library} from './overload.js';

export const formatType = structOf('kubernetes.NamedFormat');

class FormatValue extends OpaqueValue {
  constructor(
    readonly name: string,
    readonly faultsOf: (text: string) => readonly string[],
  ) {
    super();
  }

  override get type() {
    return formatType;
  }

  override equals(other: FormatValue): boolean {
    return this.name === other.name;
  }
}

/** Names that more may follow end where a hyphen or dot would be. */
const prefixed = (faults: (text: string) => readonly string[]) => (text: string) =>
  faults(text.length > 1 && text.endsWith('-') ? `${text.slice(0, -2)}a` : text);
const ofFormat = (format: string, fault: string) => (text: string) => (formatCheck(format, false)!(text) ? [] : [fault]);

const formats: Readonly<Record<string, (text: string) => readonly string[]>> = {
  dns1123Label: dnsLabelFaults,
  dns1123Subdomain: dnsSubdomainFaults,
  dns1035Label: dns1035LabelFaults,
  qualifiedName: qualifiedNameFaults,
  dns1123LabelPrefix: prefixed(dnsLabelFaults),
  dns1123SubdomainPrefix: prefixed(dnsSubdomainFaults),
  dns1035LabelPrefix: prefixed(dns1035LabelFaults),
  labelValue: labelValueFaults,
  uri: (text) => {
    const parts = parseUrl(text, true);
    return parts instanceof UrlFault ? [`parse ${quotedText(text)}: ${parts.message}`] : [];
  },
  uuid: ofFormat('uuid', 'does not match the UUID format'),
  byte: ofFormat('byte', 'invalid base64'),
  date: ofFormat('date', 'invalid date'),
  datetime: ofFormat('datetime', 'invalid datetime'),
};

const made = new Map(Object.entries(formats).map(([name, faultsOf]) => [name, new FormatValue(name, faultsOf)]));

/** Kubernetes' formats: `format.dns1123Label().validate(text)`. */
export const formatLibrary: Library = {
  feature: 'formats',
  functions: functionsOf({
    ...Object.fromEntries(Array.from(made, ([name, format]) => [`format.${name}`, [form([], formatType, () => format)]])),
    validate: [
      method([formatType, stringType], optionalOf(listOf(stringType)), ({faultsOf}: FormatValue, text: string) => {
        meter.spend(text.length / 4);
        const faults = faultsOf(text);
        return faults.length === 0 ? OptionalValue.none : OptionalValue.of(faults);
      }),
    ],
    'format.named': [
      form([stringType], optionalOf(formatType), (name: string) => {
        const format = made.get(name);
        return format ? OptionalValue.of(format) : OptionalValue.none;
      }),
    ],
  }),
};
