// "My case" of a page without a browser: node case_of_page.mjs CASES.json, from [{document, rows}],
// a row the texts that are entered, by column; prints for each row which decider decides.
import fs from 'node:fs';
import vm from 'node:vm';

const [script, cases] = [process.argv[2], JSON.parse(fs.readFileSync(process.argv[3], 'utf8'))];
const source = fs.readFileSync(script, 'utf8');

class Element {
  constructor(tag, attributes, children) {
    Object.assign(this, { tag, attributes: attributes ?? {}, children, value: '', on: {} });
    this.classList = { toggle() {} };
  }
  append(...more) { this.children.push(...more); }
  prepend() {}
  replaceChildren(...more) { this.children = more; }
  setAttribute() {}
  addEventListener(kind, then) { this.on[kind] = then; }
  get text() { return this.children.map(one => (one instanceof Element ? one.text : String(one ?? ''))).join(''); }
}

const answers = cases.map(({ document: found, rows }) => {
  const named = new Map();
  const at = id => named.get(id) ?? named.set(id, new Element('div', {}, [])).get(id);
  const make = (tag, attributes, ...children) => {
    const made = new Element(tag, attributes, children);
    if (attributes?.id) named.set(attributes.id, made);
    return made;
  };
  const page = { found, make, name: text => make('bdi', {}, String(text)), at };
  vm.runInNewContext(source, { page, document: { querySelectorAll: () => [] }, setTimeout });
  const columns = [...new Set(found.conditions.map(one => one.column))];
  return rows.map(row => {
    columns.forEach((column, place) => {
      const control = at(`case-${place}`), entered = row[column];
      if (control.tag === 'input' || entered === '') { control.value = entered; return; }
      const offered = control.children.slice(1).map(one => one.text);
      const chosen = offered.indexOf(entered);
      control.value = String(chosen < 0 ? offered.length - 1 : chosen);
    });
    at('case-form').on.input();
    const said = at('case-outcome').text;
    const rule = /[Rr]ule (\d+) (?:decides|would decide)/.exec(said);
    return said === '' ? null : rule === null ? found.deciders.length - 1 : Number(rule[1]) - 1;
  });
});
console.log(JSON.stringify(answers));
