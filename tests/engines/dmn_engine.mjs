// dmn-moddle reads, feelin decides: node dmn_engine.mjs CASES.json ANSWERS.json, in the folder that
// has node_modules.
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';

const [source, target] = process.argv.slice(2);
const require = createRequire(pathToFileURL(`${process.cwd()}/`));
const load = async name => import(pathToFileURL(require.resolve(name)));
const { DmnModdle } = await load('dmn-moddle');
const feelin = await load('@bpmn-io/feelin');

const moment = text => feelin.evaluate(`date and time("${text}")`).value ?? null;

function context(row, columns, kinds) {
  const found = {};
  for (const [column, name] of Object.entries(columns)) {
    const value = row[column] ?? null;
    const text = typeof value === 'string' ? value.replace(' ', 'T') : value;
    found[name] = kinds[name] === 'dateTime' && text !== null
      ? moment(text.includes('T') ? text : `${text}T00:00:00`)
      : kinds[name] === 'string' && value !== null ? String(value) : value;
  }
  return found;
}

function decide(table, inputs) {
  for (const rule of table.rule) {
    const holds = rule.inputEntry.every((entry, place) => {
      const asked = table.input[place].inputExpression.text;
      if (entry.text === '-') return true;
      return feelin.unaryTest(entry.text, { ...inputs, '?': inputs[asked] }).value === true;
    });
    if (holds) return String(feelin.evaluate(rule.outputEntry[0].text, {}).value);
  }
  return 'no rule';
}

async function answers(one) {
  const { rootElement, warnings } = await new DmnModdle().fromXML(one.dmn);
  if (warnings.length) return `warnings: ${warnings.map(w => w.message).join('; ')}`;
  const decision = rootElement.drgElement.find(e => e.$type === 'dmn:Decision');
  const table = decision.decisionLogic;
  const kinds = Object.fromEntries(
    (table.input ?? []).map(i => [i.inputExpression.text, i.inputExpression.typeRef]));
  table.input ??= [];
  for (const rule of table.rule) rule.inputEntry ??= [];
  return one.rows.map(row => decide(table, context(row, one.columns, kinds)));
}

const found = [];
for (const one of JSON.parse(readFileSync(source, 'utf-8'))) {
  if (one.dmn === null) { found.push({}); continue; }
  found.push({ feelin: await answers(one).catch(error => `${error.name}: ${error.message}`) });
}
writeFileSync(target, JSON.stringify(found));
