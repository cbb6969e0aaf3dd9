#include <cstdio>

#include "engine/text/jinja/renderer.h"

namespace vitrine::engine::jinja {

namespace {

constexpr const char* kDays[] = {"Sunday",   "Monday", "Tuesday", "Wednesday",
                                 "Thursday", "Friday", "Saturday"};
constexpr const char* kMonths[] = {"January",   "February", "March",    "April",
                                   "May",       "June",     "July",     "August",
                                   "September", "October",  "November", "December"};

int within(int value, int n) {
    return value < 0 ? 0 : value % n;
}

std::string number(int value, int width, char fill = '0') {
    char text[24];
    std::snprintf(text, sizeof text, fill == ' ' ? "%*d" : "%0*d", width, value);
    return text;
}

/// One directive in the C locale; empty with isKnown false for what is none.
std::string directive(char c, const std::tm& t, bool& isKnown) {
    const std::string day = kDays[within(t.tm_wday, 7)];
    const std::string month = kMonths[within(t.tm_mon, 12)];
    const int hour = t.tm_hour % 12 == 0 ? 12 : t.tm_hour % 12;
    switch (c) {
        case 'a': return day.substr(0, 3);
        case 'A': return day;
        case 'b':
        case 'h': return month.substr(0, 3);
        case 'B': return month;
        case 'c': return formatTime("%a %b %e %H:%M:%S %Y", t);
        case 'C': return number((t.tm_year + 1900) / 100, 2);
        case 'd': return number(t.tm_mday, 2);
        case 'D':
        case 'x': return formatTime("%m/%d/%y", t);
        case 'e': return number(t.tm_mday, 2, ' ');
        case 'f': return "000000";
        case 'F': return formatTime("%Y-%m-%d", t);
        case 'H': return number(t.tm_hour, 2);
        case 'I': return number(hour, 2);
        case 'j': return number(t.tm_yday + 1, 3);
        case 'k': return number(t.tm_hour, 2, ' ');
        case 'l': return number(hour, 2, ' ');
        case 'm': return number(t.tm_mon + 1, 2);
        case 'M': return number(t.tm_min, 2);
        case 'n': return "\n";
        case 'p': return t.tm_hour < 12 ? "AM" : "PM";
        case 'P': return t.tm_hour < 12 ? "am" : "pm";
        case 'r': return formatTime("%I:%M:%S %p", t);
        case 'R': return formatTime("%H:%M", t);
        case 'S': return number(t.tm_sec, 2);
        case 't': return "\t";
        case 'T':
        case 'X': return formatTime("%H:%M:%S", t);
        case 'u': return number(t.tm_wday == 0 ? 7 : t.tm_wday, 1);
        case 'w': return number(t.tm_wday, 1);
        case 'y': return number((t.tm_year + 1900) % 100, 2);
        case 'Y': return number(t.tm_year + 1900, 1);
        case 'z':
        case 'Z': return {};  // a time without a zone
        case '%': return "%";
        case 'U':
        case 'W':
        case 'V':
        case 'G':
        case 'g': {
            char text[16];
            const char format[] = {'%', c, '\0'};
            return {text, std::strftime(text, sizeof text, format, &t)};
        }
        default: isKnown = false; return {};
    }
}

}  // namespace

std::string formatTime(const std::string& format, const std::tm& time) {
    std::string text;
    for (size_t i = 0; i < format.size(); ++i) {
        size_t at = i + 1;
        if (format[i] != '%' || at >= format.size()) {
            text += format[i];
            continue;
        }
        const bool isBare = format[at] == '-' && at + 1 < format.size();
        if (isBare) ++at;
        bool isKnown = true;
        std::string part = directive(format[at], time, isKnown);
        if (!isKnown) {
            text += format[i];
            continue;
        }
        // "%-d": no filling zeros or blanks.
        if (isBare) {
            const size_t first = part.find_first_not_of("0 ");
            part = first == std::string::npos ? part.substr(part.empty() ? 0 : part.size() - 1)
                                              : part.substr(first);
        }
        text += part;
        i = at;
    }
    return text;
}

}  // namespace vitrine::engine::jinja
