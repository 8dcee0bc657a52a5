/* How a cell is read: as the library reads it, see corels.tables.numerals and corels.tables.dates. */
const _cells = {
    currency: "[$\u20ac\u00a3\u00a5\u20b9]|(?:USD|EUR|GBP|CHF|JPY)\\b",
    plain: /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$/,
    thousandsByComma: /^\d{1,3}(,\d{3})+(\.\d+)?$/,
    withComma: /^(?:\d+|\d{1,3}(?:([.' \u00a0\u202f])\d{3})(?:\1\d{3})*)(?:,\d+)?$/,
    thousands: /^\d{1,3}(([.' \u00a0\u202f])\d{3})(\2\d{3})*(,\d+)?$/,
    moment: /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d))?(\.\d{1,9})?(Z|[+-]\d\d(?::?\d\d)?)?)?$/,
    time: /^(\d\d):(\d\d)(?::(\d\d))?(\.\d{1,9})?$/,
    usual: ["", "?", "NA", "N/A", "NaN", "nan", "null", "NULL"],
    months: ["January", "February", "March", "April", "May", "June", "July", "August", "September",
        "October", "November", "December"],
    days: ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"],
};
_cells.written = new RegExp(
    `^([+-]?)(${_cells.currency})?\\s?([+-]?)([\\d.,' \u00a0\u202f]*\\d)\\s?(${_cells.currency}|%)?$`,
);

/* The number that a text writes; null for none. */
function _numberOf(text, decimal) {
    if (decimal === "thousands") return _numberOf(text.replaceAll(",", ""), "point");
    if (_cells.plain.test(text) && (decimal === "point" || !text.includes("."))) {
        return Number.isFinite(Number(text)) ? Number(text) : null;
    }
    const found = _cells.written.exec(text);
    if (found === null) return null;
    const [, sign, before, inner, digits, after] = found;
    if ((sign && inner) || (before && after)) return null;
    const money = after === "%" ? false : Boolean(before || after);
    const value = decimal === "point" ? _digits(digits, money) : _withComma(digits);
    return value === null ? null : (sign + inner).includes("-") ? -value : value;
}

/* Digits with separators, if only one reading is possible. */
function _digits(text, money) {
    const [whole, part] = _split(text, ".");
    if (/^\d+$/.test(text) || (/^\d+$/.test(part) && /^\d*$/.test(whole))) {
        return money && part.length === 3 ? null : Number(text);
    }
    if (_cells.thousandsByComma.test(text) && (text.includes(".") || text.split(",").length > 2 || money)) {
        return Number(text.replaceAll(",", ""));
    }
    const found = _cells.thousands.exec(text);
    if (found && (found[2] !== "." || text.includes(",") || text.split(".").length > 2)) {
        return Number(text.replaceAll(found[2], "").replaceAll(",", "."));
    }
    const [before, after] = _split(text, ",");
    return /^\d+$/.test(before) && /^\d+$/.test(after) && after.length !== 3 ? Number(`${before}.${after}`) : null;
}

function _withComma(text) {
    if (!_cells.withComma.test(text)) return null;
    const [whole, part] = _split(text, ",");
    return Number(`${whole.replace(/\D/g, "")}.${part || 0}`);
}

function _split(text, mark) {
    const at = text.indexOf(mark);
    return at < 0 ? [text, ""] : [text.slice(0, at), text.slice(at + mark.length)];
}

/* The number that a cell is or writes; null for none. */
function _read(value, decimal) {
    if (typeof value !== "string") return value;
    const text = value.trim();
    const truth = { true: true, false: false }[text.toLowerCase()];
    return truth === undefined ? _numberOf(text, decimal) : truth;
}

/* The text of a cell, without blanks around it if it is bare; null if it means "no value". */
function _text(value, words = _cells.usual, bare = true) {
    const text = bare && typeof value === "string" ? value.trim() : value;
    return words.includes(text) ? null : text;
}

/* A date or time in one form, in UTC; null for another text. */
function _uniform(given, order) {
    const slashed = order === "iso" ? null : /^(\d{1,2})[./-](\d{1,2})[./-](\d{4})(.*)$/.exec(given);
    const two = (part) => part.padStart(2, "0");
    const [day, month] = slashed === null ? [] : order === "dmy" ? [slashed[1], slashed[2]] : [slashed[2], slashed[1]];
    const text = slashed === null ? given : `${slashed[3]}-${two(month)}-${two(day)}${slashed[4]}`;
    const fraction = (part) => (part ?? "").replace(/[.]?0*$/, "");
    const clock = _cells.time.exec(text);
    if (clock !== null) {
        const [, hours, minutes, seconds, part] = clock;
        return hours < 24 && minutes < 60 && (seconds ?? 0) < 60
            ? `${hours}:${minutes}:${seconds ?? "00"}${fraction(part)}` : null;
    }
    const found = _cells.moment.exec(text);
    if (found === null) return null;
    const [, date, hours, minutes, seconds, part, zone] = found;
    const midnight = new Date(`${date}T00:00:00Z`);
    if (date < "0001" || Number.isNaN(midnight.getTime()) || midnight.toISOString().slice(0, 10) !== date) return null;
    if (hours === undefined) return date;
    const away = /^([+-])(\d\d):?(\d\d)?$/.exec(zone ?? "");
    if (hours > 23 || minutes > 59 || (seconds ?? 0) > 59 || (away && (away[2] > 23 || away[3] > 59))) return null;
    const shift = away === null ? 0 : (away[1] === "-" ? 1 : -1) * (away[2] * 60 + Number(away[3] ?? 0));
    const moment = new Date(midnight.getTime() + ((Number(hours) * 60 + Number(minutes) + shift) * 60 + Number(seconds ?? 0)) * 1000);
    const iso = moment.toISOString();
    if (!/^\d{4}-/.test(iso) || iso < "0001") return null;
    return `${iso.slice(0, 10)} ${iso.slice(11, 19)}${fraction(part)}`.replace(/ 00:00:00$/, "");
}

/* The date, or time of day, of a cell as text in UTC; null if it is none. */
function _date(value, order, form) {
    if (value === null || value === undefined || Number.isNaN(value)) return null;
    const text = value instanceof Date ? value.toISOString() : String(value).trim();
    const found = /^\d{4}-(0[1-9]|1[0-2])$/.test(text) ? text : _uniform(text, order);
    return found !== null && (found[2] === ":") === (form === "time") ? found : null;
}

/* The year, month, weekday or hour of the date of a cell, which is none of the `words`. */
function _part(value, part, order, form, words = []) {
    const text = words.includes(String(value).trim()) ? null : _date(value, order, form);
    if (text === null) return null;
    if (part === "hour") return Number(text[4] === "-" ? text.slice(11, 13) : text.slice(0, 2));
    if (part === "year") return Number(text.slice(0, 4));
    if (part === "month") return _cells.months[Number(text.slice(5, 7)) - 1];
    return _cells.days[new Date(`${`${text}-01`.slice(0, 10)}T00:00:00Z`).getUTCDay()];
}
