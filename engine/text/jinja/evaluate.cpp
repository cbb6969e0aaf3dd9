#include "engine/text/jinja/filters.h"
#include "engine/text/jinja/renderer.h"

namespace vitrine::engine::jinja {

Value Renderer::evaluate(const Expr& expr) {
    const Depth guard(*this);
    line_ = expr.line;
    if (!tick()) return {};
    switch (expr.op) {
        case Op::Constant: return expr.constant;
        case Op::Name: return lookUp(expr.symbol, expr.name);
        case Op::Attribute: {
            const Value object = evaluate(*expr.parts[0]);
            return isFailed_ ? Value() : attribute(object, expr.constant);
        }
        case Op::Item: {
            const Value object = evaluate(*expr.parts[0]);
            const Value key = evaluate(*expr.parts[1]);
            return isFailed_ ? Value() : item(object, key);
        }
        case Op::List:
        case Op::Tuple: return evaluateSequence(expr);
        case Op::Dict: return evaluateDict(expr);
        case Op::Compare: return evaluateCompare(expr);
        case Op::Concat: return evaluateConcat(expr);
        case Op::Slice: return evaluateSlice(expr);
        case Op::Call: return evaluateCall(expr, nullptr);
        case Op::Filter: return evaluateFilter(expr, nullptr);
        case Op::Test: return evaluateTest(expr);
        default: return evaluateOperator(expr);
    }
}

Value Renderer::evaluateOperator(const Expr& expr) {
    switch (expr.op) {
        case Op::Not: return Value::boolean(!truth(evaluate(*expr.parts[0])));
        case Op::And:
        case Op::Or: {
            Value left = evaluate(*expr.parts[0]);
            if (truth(left) == (expr.op == Op::Or)) return left;
            return evaluate(*expr.parts[1]);
        }
        case Op::Condition:
            if (truth(evaluate(*expr.parts[0]))) return evaluate(*expr.parts[1]);
            if (expr.parts[2] != nullptr) return evaluate(*expr.parts[2]);
            return Value::undefined(
                "the inline if-expression evaluated to false and no else "
                "section was defined");
        case Op::Negate:
        case Op::Plus: return unary(expr.op, evaluate(*expr.parts[0]));
        default: break;
    }
    const Value left = evaluate(*expr.parts[0]);
    const Value right = evaluate(*expr.parts[1]);
    line_ = expr.line;
    return isFailed_ ? Value() : binary(expr.op, left, right);
}

Value Renderer::lookUp(uint32_t symbol, const std::string& name) {
    const auto* scope = static_cast<const Scope*>(&scope_.asNative());
    for (;;) {
        for (const auto& [known, value] : scope->variables)
            if (known == symbol) return value;
        if (scope->parent.isUndefined()) break;
        scope = static_cast<const Scope*>(&scope->parent.asNative());
    }
    if (hasVariable_[symbol]) return variables_[symbol];
    if (name == "self") return makeSelf();
    Value function = globalFunction(name);
    return function.isUndefined() ? Value::undefined("'" + name + "' is undefined") : function;
}

Value Renderer::evaluateSequence(const Expr& expr) {
    std::vector<Value> items;
    items.reserve(expr.parts.size());
    for (const Expr* part : expr.parts) items.push_back(evaluate(*part));
    if (!room(items.size() * sizeof(Value))) return {};
    return expr.op == Op::List ? Value::list(std::move(items)) : Value::tuple(std::move(items));
}

Value Renderer::evaluateDict(const Expr& expr) {
    const Value dict = Value::dict();
    for (size_t i = 0; i < expr.parts.size(); i += 2) {
        const Value key = evaluate(*expr.parts[i]);
        Value value = evaluate(*expr.parts[i + 1]);
        if (isFailed_ || !checkHashable(key)) return {};
        dict.asDict().set(key, std::move(value));
    }
    return room(0) ? dict : Value();
}

Value Renderer::evaluateCompare(const Expr& expr) {
    static constexpr const char* kNames[] = {"==", "!=", "<", "<=", ">", ">="};
    Value left = evaluate(*expr.parts[0]);
    for (size_t i = 0; i < expr.compares.size(); ++i) {
        Value right = evaluate(*expr.parts[i + 1]);
        line_ = expr.line;
        if (isFailed_) return {};
        const CompareOp op = expr.compares[i];
        const char* name = kNames[std::min<size_t>(static_cast<size_t>(op), 5)];
        bool isTrue = false;
        switch (op) {
            case CompareOp::Equal: isTrue = equals(left, right); break;
            case CompareOp::NotEqual: isTrue = !equals(left, right); break;
            case CompareOp::Less: isTrue = less(left, right, name); break;
            case CompareOp::Greater: isTrue = less(right, left, name); break;
            case CompareOp::LessEqual: isTrue = lessOrEqual(left, right, name); break;
            case CompareOp::GreaterEqual: isTrue = lessOrEqual(right, left, name); break;
            case CompareOp::In: isTrue = contains(right, left); break;
            case CompareOp::NotIn: isTrue = !contains(right, left); break;
        }
        if (!isTrue) return Value::boolean(false);
        left = std::move(right);
    }
    return Value::boolean(!isFailed_);
}

Value Renderer::evaluateConcat(const Expr& expr) {
    std::vector<Value> parts;
    parts.reserve(expr.parts.size());
    bool isSafe = false;
    for (const Expr* part : expr.parts) {
        parts.push_back(evaluate(*part));
        isSafe = isSafe || (parts.back().isString() && parts.back().asText().isSafe);
    }
    if (isFailed_) return {};
    isSafe = isSafe && autoescape_;
    Builder out(*this);
    for (const Value& part : parts) {
        if (isSafe)
            out.appendHtml(str(part));
        else
            writeStr(out, part);
    }
    Text text = out.take();
    text.isSafe = isSafe;
    return Value::text(std::move(text));
}

Value Renderer::evaluateSlice(const Expr& expr) {
    const Value object = evaluate(*expr.parts[0]);
    Value bounds[3];
    for (size_t i = 0; i < 3; ++i)
        bounds[i] = expr.parts[i + 1] != nullptr ? evaluate(*expr.parts[i + 1]) : Value::none();
    line_ = expr.line;
    return isFailed_ ? Value() : slice(object, bounds[0], bounds[1], bounds[2]);
}

bool Renderer::evaluateArguments(const CallArguments& source, Arguments& arguments) {
    for (const Expr* expr : source.positional) arguments.positional.push_back(evaluate(*expr));
    for (const auto& [name, expr] : source.named)
        arguments.named.emplace_back(name, evaluate(*expr));
    if (source.more != nullptr) {
        const Value more = evaluate(*source.more);
        if (isFailed_) return false;
        const Items items(*this, more);
        for (size_t i = 0; i < items.size() && room(i * sizeof(Value)); ++i)
            arguments.positional.push_back(items.at(i));
    }
    if (source.moreNamed != nullptr) {
        const Value more = evaluate(*source.moreNamed);
        if (isFailed_) return false;
        if (!more.is(Kind::Dict)) {
            fail("the argument after ** must be a mapping");
            return false;
        }
        for (const auto& [key, value] : more.asDict().entries) {
            if (!key.isString() || !tick()) {
                fail("keywords must be strings");
                return false;
            }
            for (const auto& [known, other] : arguments.named)
                if (known == key.asText().bytes())
                    fail("got multiple values for keyword argument '" + known + "'");
            arguments.named.emplace_back(key.asText().bytes(), value);
        }
    }
    return !isFailed_;
}

Value Renderer::evaluateCall(const Expr& expr, const Value* caller) {
    const Value callee = evaluate(*expr.parts[0]);
    Arguments arguments;
    if (isFailed_ || !evaluateArguments(*expr.arguments, arguments)) return {};
    if (caller != nullptr) arguments.named.emplace_back("caller", *caller);
    line_ = expr.line;
    return call(callee, arguments);
}

Value Renderer::evaluateFilter(const Expr& expr, const Value* body) {
    // A filter block's innermost filter has no operand: the block's text is put in.
    Value input;
    if (expr.parts[0] == nullptr) {
        if (body != nullptr) input = *body;
    } else if (body != nullptr && expr.parts[0]->op == Op::Filter) {
        input = evaluateFilter(*expr.parts[0], body);
    } else {
        input = evaluate(*expr.parts[0]);
    }
    Arguments arguments;
    if (isFailed_ || !evaluateArguments(*expr.arguments, arguments)) return {};
    line_ = expr.line;
    if (expr.filter == nullptr) return fail("No filter named '" + expr.name + "'.");
    return expr.filter->apply(*this, input, arguments);
}

Value Renderer::evaluateTest(const Expr& expr) {
    const Value input = evaluate(*expr.parts[0]);
    Arguments arguments;
    if (isFailed_ || !evaluateArguments(*expr.arguments, arguments)) return {};
    line_ = expr.line;
    if (expr.test == nullptr) return fail("No test named '" + expr.name + "'.");
    return Value::boolean(expr.test->apply(*this, input, arguments));
}

}  // namespace vitrine::engine::jinja
